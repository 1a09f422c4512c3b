import { z } from 'zod'
import { get, post } from './endpoint.ts'

/**
 * How a page uses a captcha. It is asked for on risk only; which kind, the refusal or the sign-in policy (`captchaKind`) says.
 * Whatever the kind, the form ends up with two fields, `captchaId` and `captcha`, and the server knows the kind from the id.
 * Each captcha counts once (right or wrong), for 120 seconds, in the browser that asked for it and for its purpose; after any
 * refused form fetch a new one.
 *
 * - proof-of-work: `getChallenge`, then `proofOfWorkSolver` (rules/proof-of-work.ts) in a worker: `captcha` is its answer.
 *   It asks nothing of a person and is accepted whatever the policy says: "Can't read it?" and "Can't move it?" lead here.
 * - picture: make up a random id, show `pictureUrl(id, purpose)`, send that id as `captchaId` and what the person typed as `captcha`.
 *   It works without script and is likewise accepted whatever the policy says. A new picture: the same address again
 *   (add a changing fragment or replace the element), or a new id.
 * - slider: `getSlider`; the piece lies at x = 0, `pieceTop` from the top, and slides right over the picture. Record `{x, y, t}`
 *   for every move (t in ms since the piece was taken) and give them to `checkSlider`, whose answer fills both form fields.
 *   Arrow keys move the piece by 1, 2, 5 or 10 picture pixels, recorded with y = 0; a refused check needs a new `getSlider`.
 */
export const CaptchaKind = z.enum(['proof-of-work', 'picture', 'slider'])
export type CaptchaKind = z.infer<typeof CaptchaKind>

/** What a captcha was solved for; one solved for a login opens nothing else. */
export const CaptchaPurpose = z.enum(['login', 'recovery', 'activation', 'verification-code'])
export type CaptchaPurpose = z.infer<typeof CaptchaPurpose>

export const CAPTCHA_SECONDS = 120
/** The id of a picture, made up by the page: random, but no secret. */
export const PictureId = z.string().regex(/^[A-Za-z0-9._-]{8,64}$/)
/** Picture pixels by which a piece may be off. */
export const SLIDER_TOLERANCE = 5

/** Where the picture with this id is drawn; the form sends the id as `captchaId`. */
export const pictureUrl = (id: string, purpose: CaptchaPurpose): string =>
  `/auth_service/pic_captcha.jpg?uuids=${encodeURIComponent(id)}&purpose=${purpose}`

const Common = { captchaId: z.string(), secondsLeft: z.number().int() }

const ProofOfWorkChallenge = z.object({
  ...Common,
  kind: z.literal('proof-of-work'),
  salt: z.string(),
  /** Leading zero bits that each round's hash must have. */
  bits: z.number().int(),
  rounds: z.number().int(),
})
const PictureChallenge = z.object({ ...Common, kind: z.literal('picture'), imageUrl: z.string() })
export const SliderChallenge = z.object({
  ...Common,
  kind: z.literal('slider'),
  /** Picture pixels; the page may scale it and then has to scale `x` back. */
  width: z.number().int(),
  height: z.number().int(),
  pieceWidth: z.number().int(),
  pieceHeight: z.number().int(),
  pieceTop: z.number().int(),
  /** Data URLs, drawn at twice the size. */
  backgroundImage: z.string(),
  sliderImage: z.string(),
})
export const Challenge = z.discriminatedUnion('kind', [ProofOfWorkChallenge, PictureChallenge, SliderChallenge])
export type Challenge = z.infer<typeof Challenge>

const Purpose = CaptchaPurpose.default('login')

/** A new captcha of the wanted kind. Unsigned, so that the first script on the login page needs nothing else. */
export const getChallenge = get(
  '/captcha/challenge',
  'public',
  z.strictObject({ kind: CaptchaKind.default('proof-of-work'), purpose: Purpose }),
  Challenge,
  { summary: 'A new captcha', signed: false, errors: ['captcha.too-many', 'service.busy'] },
)

/** `uuids` (8 to 64 of A-Z a-z 0-9 . _ -) is the id under which the picture is answered. Answers image/jpeg. */
export const getPicture = get('/pic_captcha.jpg', 'public', z.strictObject({ purpose: Purpose }), z.null(), {
  summary: 'The captcha picture of the id given as uuids',
  signed: false,
  answers: 'image/jpeg',
  errors: ['captcha.too-many', 'service.busy'],
})

export const getSlider = get('/gen', 'public', z.strictObject({ purpose: Purpose }), SliderChallenge, {
  summary: 'A new slider captcha',
  errors: ['captcha.too-many', 'service.busy'],
})

const TrackPoint = z.strictObject({
  x: z.number().min(-1000).max(1000),
  y: z.number().min(-1000).max(1000),
  /** Milliseconds since the piece was taken. */
  t: z.number().min(0).max(600_000),
})
export type TrackPoint = z.infer<typeof TrackPoint>

/** A right slide is worth one form: put both values of the answer into it. */
export const checkSlider = post(
  '/check',
  'public',
  z.strictObject({ captchaId: z.string().max(64), track: z.array(TrackPoint).max(1500) }),
  z.object({ captchaId: z.string(), captcha: z.string(), secondsLeft: z.number().int() }),
  { summary: 'Check where the slider was left', errors: ['captcha.wrong'] },
)
