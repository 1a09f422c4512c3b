import { z } from 'zod'
import { Empty, get, Id, post } from './endpoint.ts'
import { EntryName, EntryNames } from './organizations.ts'
import { resourceCalls } from './resource-calls.ts'
import { SHEET_ERRORS } from './sheets.ts'

/** `campus`: people in it are on campus. The others only name places. */
export const RANGE_KINDS = ['campus', 'trusted', 'blocked', 'other'] as const
const RangeKind = z.enum(RANGE_KINDS)
export type RangeKind = z.infer<typeof RangeKind>

/** The most networks of one range; `a-b` counts as the networks it is split into. */
export const MAX_RANGE_NETWORKS = 300

export const IpRangeFields = z.strictObject({
  name: EntryName,
  names: EntryNames.default({}),
  kind: RangeKind,
  /**
   * Networks `10.0.0.0/8`, addresses `10.0.0.1` and spans `10.0.0.1-10.0.0.20`, of IPv4 and IPv6; stored as networks.
   */
  networks: z.array(z.string().trim().min(1).max(100)).min(1).max(MAX_RANGE_NETWORKS),
  note: z.string().trim().max(500).default(''),
  /** A disabled range matches no address. */
  enabled: z.boolean().default(true),
})

const IpRange = z.object({
  id: Id,
  version: z.number().int(),
  name: z.string(),
  names: EntryNames,
  /** In the caller's language. */
  shownName: z.string(),
  kind: RangeKind,
  networks: z.array(z.string()),
  note: z.string(),
  enabled: z.boolean(),
  /** How it was first created. */
  source: z.enum(['manual', 'import']),
  updatedAt: z.iso.datetime(),
})
export type IpRange = z.infer<typeof IpRange>

export const ipRanges = resourceCalls({
  path: '/ip_range',
  one: 'an IP range',
  many: 'IP ranges',
  searched: 'part of a name or note, or an address or network that a range holds',
  fields: IpRangeFields,
  row: IpRange,
  filters: { kind: RangeKind.optional(), enabled: z.enum(['0', '1']).optional() },
  sorts: ['name', '-name', 'updatedAt', '-updatedAt'],
  errors: [
    'ip-range.bad-network',
    'ip-range.too-many-networks',
    'ip-range.network-taken',
    'ip-range.name-taken',
    'ip-range.too-many',
    /** `data` is `LocksOutData`: an access rule would lock out the caller, or every super user, by their address. */
    'policy.locks-out',
    /** 409: with `force`, while an earlier change of this range is waiting for confirmation. */
    'unconfirmed-change.pending',
  ],
  removalErrors: ['policy.locks-out'],
  options: {
    /**
     * Saves although it locks somebody out, and reverts unless a new login confirms it; a new range is then disabled. A
     * deletion that locks out is always refused.
     */
    force: z.boolean().optional(),
  },
})

/** A hint about a valid network that may be a mistake. */
const NetworkHint = z.object({
  network: z.string(),
  /**
   * `inside`, `around`: it is within a network of another range, or contains one; the smaller network decides. The
   * others name what the network is reserved for; the messages are `ip-range.hint.<name>`.
   */
  hint: z.enum(['inside', 'around', 'everything', 'loopback', 'link-local', 'multicast', 'carrier-nat', 'reserved']),
  /** The other range. */
  name: z.string().nullable(),
  otherNetwork: z.string().nullable(),
})
export type NetworkHint = z.infer<typeof NetworkHint>

export const checkIpRange = post(
  '/ip_range/check/',
  'superUser',
  z.strictObject({
    /** The range being changed; absent: a new one. */
    id: Id.optional(),
    networks: IpRangeFields.shape.networks,
  }),
  z.object({
    /** As they would be stored. */
    networks: z.array(z.string()),
    /** The first hundred. */
    hints: z.array(NetworkHint),
  }),
  {
    summary: 'Possible mistakes in networks before they are saved: overlaps, and reserved networks',
    errors: ['ip-range.bad-network', 'ip-range.too-many-networks', 'ip-range.network-taken'],
  },
)

export const lookUpAddress = get(
  '/ip_range/lookup/',
  'superUser',
  z.strictObject({
    /** Absent: the address of this request. */
    ip: z.string().trim().max(60).optional(),
  }),
  z.object({
    /** As compared: IPv4-mapped IPv6 is the IPv4 address. */
    ip: z.string(),
    onCampus: z.boolean(),
    /** Enabled ranges that contain the address, the smallest network first: the first one decides. */
    matches: z.array(
      z.object({ id: Id, name: z.string(), shownName: z.string(), kind: RangeKind, network: z.string() }),
    ),
  }),
  { summary: 'The range that an address is in, and why', errors: ['ip-range.bad-address'] },
)

export const MAX_IP_RANGE_IMPORT_BYTES = 4 * 1024 * 1024
export const MAX_IP_RANGES = 10_000

const ImportedRange = z.object({
  /** The row number as a spreadsheet shows it. */
  row: z.number().int(),
  name: z.string(),
  result: z.enum(['new', 'changed', 'unchanged', 'refused']),
  networks: z.array(z.string()),
  /** Why it is refused. */
  message: z.string().nullable(),
})
const ImportReport = z.object({
  rows: z.array(ImportedRange),
  counts: z.record(ImportedRange.shape.result, z.number().int()),
})
export type IpRangeImportReport = z.infer<typeof ImportReport>

const importCall = (verb: 'check' | 'run', summary: string, errors: readonly string[]) =>
  post(`/ip_range/import/${verb}/`, 'superUser', Empty, ImportReport, {
    summary,
    errors: [...errors, 'ip-range.import-columns', 'ip-range.too-many', ...SHEET_ERRORS],
    mostBodyBytes: MAX_IP_RANGE_IMPORT_BYTES,
    upload: true,
  })

export const checkIpRangeImport = importCall(
  'check',
  'What an import of IP ranges from a csv or xlsx file would do, row by row; nothing is written',
  [],
)
export const runIpRangeImport = importCall(
  'run',
  'Import IP ranges from a csv or xlsx file: all rows or, when one is refused, none. A range of the same name is changed',
  ['ip-range.import-refused', 'policy.locks-out'],
)
