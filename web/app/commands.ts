import type { MessageKey } from '../platform/i18n.ts'
import type { IconName } from '../ui/Icon.tsx'

/** An administrator's action in the back-office search: where it is done, and further search words. */
export type Command = {
  title: MessageKey & `command.${string}`
  icon: IconName
  to: string
  search?: Record<string, string>
  /** As for pages: in any language, pinyin and its initials. */
  words: string
  /** The permission needed; absent: super users only. */
  permission?: 'edit' | 'import' | 'authorise' | 'unlock'
}

export const COMMANDS: readonly Command[] = [
  {
    title: 'command.import-people',
    icon: 'user',
    to: '/manage/organization/import',
    words:
      'import people users students staff csv excel xlsx upload 导入 匯入 人员 用户 批量 daoru dr daorurenyuan drry',
    permission: 'import',
  },
  {
    title: 'command.new-person',
    icon: 'user',
    to: '/manage/organization',
    search: { do: 'new' },
    words: 'new create add person user account 新建 新增 添加 人员 用户 账号 xinjian xj xinjianrenyuan xjry tianjia tj',
    permission: 'edit',
  },
  {
    title: 'command.freeze-people',
    icon: 'user',
    to: '/manage/freeze-account',
    search: { do: 'freeze' },
    words: 'freeze suspend leave 冻结 凍結 休学 停职 dongjie dj dongjierenyuan djry',
    permission: 'edit',
  },
  {
    title: 'command.unlock-people',
    icon: 'user',
    to: '/manage/lock-list',
    words: 'unlock locked failures release 解锁 解鎖 解除锁定 jiesuo js jiechusuoding jcsd',
    permission: 'unlock',
  },
  {
    title: 'command.refused-logins',
    icon: 'record',
    to: '/manage/login-log',
    search: { result: '0' },
    words:
      "why can't cant cannot log in login fail failed failure refused 为什么 為什麼 无法登录 無法登入 登不上 登录失败 登入失敗 weishenme wsm dengbushang dbs wufadenglu wfdl denglushibai dlsb",
  },
  {
    title: 'command.missing-code',
    icon: 'record',
    to: '/manage/message-log',
    words:
      "code codes verification message text sms mail email never arrived didn't didnt not received missing 验证码 驗證碼 短信 簡訊 邮件 郵件 收不到 没收到 沒收到 未收到 yanzhengma yzm duanxin dx shoubudao sbd meishoudao msd",
  },
  {
    title: 'command.appoint',
    icon: 'user',
    to: '/manage/administrator-manage',
    words: 'appoint delegate administrator admin power 任命 授权 管理员 委派 renming rm weipai wp',
  },
  {
    title: 'command.new-application',
    icon: 'apps',
    to: '/manage/application-manage/new',
    words:
      'new add register create application app cas oidc oauth gallery moodle 接入 新建 应用 應用 jieru jr xinjianyingyong xjyy yingyong yy',
  },
  {
    title: 'command.import-applications',
    icon: 'apps',
    to: '/manage/application-manage/import',
    words: 'import applications services json registry cas 导入 匯入 应用 daoru dr daoruyingyong dryy yingyong yy',
  },
  {
    title: 'command.grant',
    icon: 'apps',
    to: '/manage/application-grants',
    words: 'grant authorise authorize application access give 授权 授權 应用 shouquan sq',
    permission: 'authorise',
  },
  {
    title: 'command.test-rules',
    icon: 'safety-certificate',
    to: '/manage/net-strategy',
    search: { tab: 'test' },
    words: 'test try rehearse access rules address ip login blocked 测试 測試 规则 地址 ceshi cs ceshiguize csgz',
  },
  {
    title: 'command.roll-back',
    icon: 'record',
    to: '/manage/change-history',
    words: 'roll back rollback undo revert change 回滚 還原 撤销 恢复 huigun hg chexiao cx huifu hf',
  },
  {
    title: 'command.confirm-backup',
    icon: 'manage',
    to: '/manage/system-settings',
    search: { tab: 'start' },
    words: 'confirm backup back-up restore restored tested 备份 備份 恢复 還原 确认 beifen bf querenbeifen qrbf',
  },
]
