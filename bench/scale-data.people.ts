import { pinyin } from 'pinyin-pro'
import type { Database } from '../server/platform/db.ts'

/** Frequent ones are repeated, as in a real register. */
const SURNAMES = Array.from(
  '王王王王王王王李李李李李李李张张张张张张刘刘刘刘刘陈陈陈陈杨杨杨黄黄赵赵周周吴吴徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程苏魏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙黎史陶贺毛段郝顾龚邵覃武钱戴严莫孔向常',
)
const GIVEN = Array.from(
  '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰萍红飞梅鑫波斌宇浩凯健俊帆博睿轩子豪然毅恒晨阳文瑞霖泽远志昊天航嘉承安诺铭哲煜熙怡欣悦佳颖诗涵梦瑶雨萱语桐思若曦清宁晓月可心',
)

const syllables = (characters: string[]): string[] =>
  characters.map((one) => pinyin(one, { toneType: 'none', v: true }))

export async function writeReferenceData(sql: Database): Promise<void> {
  for (const [position, [code, name]] of [
    ['undergraduate', '本科生'],
    ['graduate', '研究生'],
    ['teacher', '教师'],
    ['staff', '职工'],
    ['alumni', '校友'],
    ['visitor', '访问学者'],
  ].entries()) {
    await sql`insert into user_categories (id, code, name, position) values (gen_random_uuid(), ${code as string}, ${name as string}, ${position})`
  }
  for (const [position, [code, name]] of [
    ['full-time', '全日制'],
    ['part-time', '非全日制'],
    ['permanent', '在编'],
    ['contract', '聘用'],
    ['short-term', '短期'],
  ].entries()) {
    await sql`insert into personnel_types (id, code, name, position) values (gen_random_uuid(), ${code as string}, ${name as string}, ${position})`
  }
}

const FACULTIES = 20
const DEPARTMENTS = 24

/**
 * A root, 20 faculties of 24 departments, half of the rest flat below "classes", the other half below the departments.
 */
export async function writeOrganizations(sql: Database, count: number, at: Date): Promise<void> {
  await sql`
    insert into organizations (id, code, name, ancestor_ids, created_at, updated_at)
    select id, 'university', '规模大学', array[id], ${at}, ${at} from (select gen_random_uuid() as id) one`
  const below = (parents: string, name: string, code: string, each: number) => sql`
    insert into organizations (id, code, name, parent_id, ancestor_ids, position, created_at, updated_at)
    select id, ${code} || '-' || row_number() over (order by parent_code, n), ${name} || (row_number() over (order by parent_code, n)), parent_id,
      ancestors || id, n, ${at}, ${at}
    from (select gen_random_uuid() as id, p.id as parent_id, p.code as parent_code, p.ancestor_ids as ancestors, n
      from organizations p cross join generate_series(1, ${each}::int) n where p.code ~ ${parents}) made`
  await below('^university$', '第', 'faculty', FACULTIES)
  await sql`update organizations set name = name || '学院' where code ~ '^faculty'`
  await below('^faculty-', '系', 'department', DEPARTMENTS)
  await below('^university$', '班级总汇', 'classes', 1)
  const rest = Math.max(0, count - 2 - FACULTIES * (DEPARTMENTS + 1))
  const sections = Math.floor(rest / 2 / (FACULTIES * DEPARTMENTS))
  await below('^department-', '教研室', 'section', sections)
  await below('^classes-1$', '班级', 'class', rest - sections * FACULTIES * DEPARTMENTS)
}

const BATCH = 100_000

export async function writePeople(sql: Database, count: number, at: Date, adminPasswordHash: string): Promise<void> {
  await sql`create table scale_organizations as
    select (row_number() over (order by code))::int as n, id from organizations where code ~ '^(department|class|section)-'`
  await sql`create unique index on scale_organizations (n)`
  await sql`create table scale_categories as select (position + 1)::int as n, id from user_categories`
  await sql`create table scale_personnel_types as select (position + 1)::int as n, id from personnel_types`
  await sql`
    insert into users (id, account, name, name_pinyin, name_initials, is_super_user, created_at, updated_at)
    values (gen_random_uuid(), 'scale-admin', '规模管理员', 'guimoguanliyuan', 'gmgly', true, ${at}, ${at})`
  for (let from = 1; from <= count; from += BATCH) await writeSome(sql, from, Math.min(count, from + BATCH - 1), at)
  await sql`insert into passwords (user_id, hash, changed_at) select id, ${adminPasswordHash}, ${at} from users where account = 'scale-admin'`
  await sql`
    insert into login_names (canonical, user_id, kind)
    select account, id, 'account' from users union all select phone, id, 'phone' from users where phone is not null
    union all select mailbox, id, 'mailbox' from users where mailbox is not null`
  // One in thirty has a secondary department.
  await sql`
    insert into user_organizations (user_id, organization_id)
    select u.id, o.id from (select id, organization_id, abs(hashtext(account)) as chance from users) u
    join scale_organizations o on o.n = 1 + u.chance % (select max(n) from scale_organizations) and o.id <> u.organization_id
    where u.chance % 30 = 0`
  await sql`
    insert into attempt_counters (kind, key, user_id, recent, blocked_until, last_at)
    select 'person', uuid_send(id), id, '{}', ${at}::timestamptz + interval '1 year', ${at} from users
    where abs(hashtext(account)) % 2000 = 7`
  await sql`drop table scale_organizations, scale_categories, scale_personnel_types`
}

/** Random values are hashes of the number, so every run creates the same people. */
async function writeSome(sql: Database, from: number, to: number, at: Date): Promise<void> {
  await sql`
    insert into users (id, account, name, name_pinyin, name_initials, gender, birthday, category_id, personnel_type_id,
      organization_id, phone, mailbox, enabled, activated, locked_at, lock_reason, frozen_from, freeze_reason, dormant_since,
      last_login_at, created_at, updated_at, deleted_at)
    select gen_random_uuid(), (20000000 + i)::text, s.c || g1.c || g2.c, s.p || g1.p || g2.p,
      left(s.p, 1) || left(g1.p, 1) || left(g2.p, 1), case when r3 % 2 = 0 then 'male' else 'female' end,
      date '1960-01-01' + (r1 % 16000), (select id from scale_categories where n = 1 + r2 % 6),
      (select id from scale_personnel_types where n = 1 + r1 % 5),
      (select o.id from scale_organizations o where o.n = 1 + r4 % (select max(n) from scale_organizations)),
      '+86138' || lpad(i::text, 8, '0'), case when r3 % 10 < 7 then (20000000 + i) || '@example.edu' end,
      r1 % 50 <> 0, r2 % 7 <> 0, case when r3 % 500 = 0 then ${at}::timestamptz end, case when r3 % 500 = 0 then 'scale' end,
      case when r4 % 1000 = 0 then ${at}::timestamptz end, case when r4 % 1000 = 0 then 'scale' end,
      case when r1 % 20 = 3 then ${at}::timestamptz - make_interval(days => r2 % 300) end,
      case when r2 % 7 <> 0 then ${at}::timestamptz - make_interval(mins => r4 % 500000) end, ${at}, ${at},
      case when r2 % 100 = 99 then ${at}::timestamptz end
    from (
      select i, abs(hashint4(i)) as r1, abs(hashint4(i + 7919)) as r2, abs(hashint4(i * 3)) as r3, abs(hashint4(i + 104729)) as r4
      from generate_series(${from}::int, ${to}::int) i) n
    join unnest(${SURNAMES}::text[], ${syllables(SURNAMES)}::text[]) with ordinality as s(c, p, n) on s.n = 1 + r1 % ${SURNAMES.length}
    join unnest(${GIVEN}::text[], ${syllables(GIVEN)}::text[]) with ordinality as g1(c, p, n) on g1.n = 1 + r2 % ${GIVEN.length}
    join unnest(${[...GIVEN, '']}::text[], ${[...syllables(GIVEN), '']}::text[]) with ordinality as g2(c, p, n)
      on g2.n = 1 + case when r3 % 5 = 0 then ${GIVEN.length}::int else r4 % ${GIVEN.length}::int end`
}
