import type { MailboxDriver } from '#shared/contract/mailbox-settings.ts'
import type { VendorKey } from '#shared/contract/vendors.ts'

type Texts = readonly [zhCn: string, zhTw: string, en: string]

type DemoApplication = {
  appId: string
  category: string
  name: Texts
  description: Texts
  /** Absent: everybody who can log in. */
  authorized?: { categories?: string[]; roles?: string[]; organizations?: string[] }
}

export const demoApplicationCategories = [
  { code: 'teaching', name: '教学', names: { zh_TW: '教學', en: 'Teaching' } },
  { code: 'research', name: '科研', names: { zh_TW: '研究', en: 'Research' } },
  { code: 'office', name: '办公', names: { zh_TW: '辦公', en: 'Office' } },
  { code: 'life', name: '生活', names: { zh_TW: '生活', en: 'Campus life' } },
]

const RELEASED = ['account', 'name', 'mailbox', 'organization', 'category', 'roles'] as const

const STUDENTS = ['undergraduate', 'postgraduate']
const EMPLOYEES = ['faculty', 'staff']
const ADMINISTRATOR = ['portal-administrator']

const APPLICATIONS: readonly DemoApplication[] = [
  {
    appId: 'library',
    category: 'research',
    name: ['图书馆', '圖書館', 'Library'],
    description: ['馆藏检索与座位预约', '館藏查詢與座位預約', 'Catalogue and seat reservation'],
  },
  {
    appId: 'academic',
    category: 'teaching',
    name: ['教务系统', '教務系統', 'Academic Affairs'],
    description: ['选课、成绩与课表', '選課、成績與課表', 'Courses, grades and timetable'],
    authorized: { categories: [...STUDENTS, 'faculty'], roles: ADMINISTRATOR },
  },
  {
    appId: 'mail',
    category: 'office',
    name: ['校园邮箱', '校園信箱', 'Campus Mail'],
    description: ['师生统一电子邮箱', '師生統一電子郵件', 'Mail for students and staff'],
  },
  {
    appId: 'learning',
    category: 'teaching',
    name: ['在线学习', '線上學習', 'Learning'],
    description: ['课程、作业与讨论', '課程、作業與討論', 'Courses, assignments, discussions'],
  },
  {
    appId: 'evaluation',
    category: 'teaching',
    name: ['教学评价', '教學評量', 'Course Evaluation'],
    description: ['每学期的课程评价', '每學期的課程評量', 'Rate this term’s courses'],
    authorized: { categories: STUDENTS, roles: ADMINISTRATOR },
  },
  {
    appId: 'labs',
    category: 'research',
    name: ['实验预约', '實驗預約', 'Lab Booking'],
    description: ['仪器与实验室预约', '儀器與實驗室預約', 'Book instruments and labs'],
    authorized: {
      organizations: ['science', 'information', 'engineering', 'medicine', 'institutes'],
      roles: ADMINISTRATOR,
    },
  },
  {
    appId: 'thesis',
    category: 'teaching',
    name: ['毕业设计', '畢業專題', 'Thesis'],
    description: ['选题、开题与答辩', '選題、開題與口試', 'Topic, proposal and defence'],
    authorized: { categories: [...STUDENTS, 'faculty'], roles: ADMINISTRATOR },
  },
  {
    appId: 'projects',
    category: 'research',
    name: ['科研项目', '研究計畫', 'Research Projects'],
    description: ['项目申报与成果登记', '計畫申請與成果登錄', 'Proposals and results'],
    authorized: { categories: ['faculty', 'postgraduate', 'visitor'], roles: ADMINISTRATOR },
  },
  {
    appId: 'office',
    category: 'office',
    name: ['协同办公', '行政協作', 'Office'],
    description: ['公文、会议与审批', '公文、會議與簽核', 'Documents, meetings, approvals'],
    authorized: { categories: EMPLOYEES, roles: ADMINISTRATOR },
  },
  {
    appId: 'finance',
    category: 'office',
    name: ['财务报销', '經費報支', 'Expenses'],
    description: ['报销、借款与工资查询', '報支、借支與薪資查詢', 'Claims, advances and payslips'],
    authorized: { categories: EMPLOYEES, roles: [...ADMINISTRATOR, 'finance-approver'] },
  },
  {
    appId: 'certificates',
    category: 'office',
    name: ['电子证明', '電子證明', 'Certificates'],
    description: ['成绩单与在读证明', '成績單與在學證明', 'Transcripts and enrolment proofs'],
    authorized: { categories: STUDENTS, roles: ADMINISTRATOR },
  },
  {
    appId: 'card',
    category: 'life',
    name: ['校园卡', '校園卡', 'Campus Card'],
    description: ['余额、充值与消费记录', '餘額、儲值與消費記錄', 'Balance, top-up and payments'],
  },
  {
    appId: 'repairs',
    category: 'life',
    name: ['后勤报修', '總務報修', 'Repairs'],
    description: ['宿舍与教室报修', '宿舍與教室報修', 'Report a fault in a room'],
  },
  {
    appId: 'sports',
    category: 'life',
    name: ['场馆预约', '場館預約', 'Sports Booking'],
    description: ['球场与健身房预约', '球場與健身房預約', 'Book courts and the gym'],
  },
]

/** The base URLs of the demo applications, without a trailing slash; simulated vendors only if nobody but this machine can reach them. */
export type DemoBases = {
  library: string
  learning: string
  vendors: Partial<Record<VendorKey, string>>
  mailboxes: Partial<Record<MailboxDriver, string>>
}

/** All demo applications that have pages of their own, each below its own path. */
export const DEMO_APPLICATION_IDS = APPLICATIONS.map(({ appId }) => appId)

/** Learning has its own server, because it speaks another protocol. */
const baseOf = (bases: DemoBases, appId: string): string => (appId === 'learning' ? bases.learning : bases.library)

/** Learning is a public client: PKCE instead of a secret that every installation would share. */
const openIdRegistration = (home: string) => ({
  protocol: 'oauth2' as const,
  clientId: 'learning',
  redirectUris: [`${home}callback`],
  postLogoutRedirectUris: [`${home}goodbye`],
  backchannelLogoutUri: `${home}backchannel`,
  grantTypes: ['authorization_code' as const, 'refresh_token' as const],
  scopes: ['openid', 'profile', 'email', 'organization', 'category', 'roles'],
})

const casRegistration = (home: string) => ({
  protocol: 'cas' as const,
  serviceUrls: [`${home}**`],
  attributes: [...RELEASED],
})

export const demoApplications = (bases: DemoBases) =>
  APPLICATIONS.map(({ appId, category, name, description, authorized }) => {
    const home = `${baseOf(bases, appId)}/${appId}/`
    return {
      appId,
      name: name[0],
      names: { zh_TW: name[1], en: name[2] },
      description: description[0],
      descriptions: { zh_TW: description[1], en: description[2] },
      category,
      type: authorized ? ('system' as const) : ('whitelist' as const),
      url: home,
      picture: `/auth_web/icons/${appId}.svg`,
      ...(appId === 'learning' ? openIdRegistration(home) : casRegistration(home)),
      ...(authorized && { authorized }),
    }
  })
