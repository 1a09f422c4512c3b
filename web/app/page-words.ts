/**
 * Further search words for the pages of the back office: pinyin of the title, initials, synonyms, in any language.
 * Title and group are searched in the displayed language besides.
 */
const PAGE_WORDS: Readonly<Record<string, string>> = {
  'overview.title':
    'home dashboard overview start numbers figures 首页 概览 总览 統計 统计 shouye sy gailan gl tongji tj',
  'organization.title':
    'people person users user accounts departments tree students staff import export 人员 用户 使用者 账号 帳號 部门 部門 学生 教职工 导入 导出 组织与用户 zuzhi zz yonghu yh renyuan ry bumen bm zhanghao zh xuesheng xs daoru dr daochu dc reset password 重置密码 重設密碼 chongzhi cz chongzhimima czmm zuzhiyuyonghu zzyyh',
  'user-category.title': 'types kinds student staff reference data 用户类别 身份 yonghuleibie yhlb leibie lb',
  'org-attribute.title': 'department kinds types reference data 部门属性 bumenshuxing bmsx shuxing sx',
  'user-feature.title':
    'personnel nature personnel types employment reference data 人员性质 renyuanxingzhi ryxz xingzhi xz',
  'role-manage.title': 'roles groups members permissions 角色 用户组 群组 jiaose juesegl jueseguanli jsgl juese js',
  'administrator-manage.title':
    'administrators admins delegation appointment permissions rights 管理员 管理員 任命 授权 权限 guanliyuan gly renming rm quanxian qx',
  'application-manage.title':
    'applications apps services clients cas oauth oidc openid single sign-on sso 应用 應用 系统 接入 单点登录 yingyong yingyongguanli yygl yy xitong xt dandian',
  'grant.title':
    'grants authorisation authorization access permissions applications who may enter 授权 授權 权限 yingyongshouquan yysq shouquan sq quanxian qx',
  'api-manage.title':
    'api interfaces keys app key programs open 接口 介面 密钥 开放 jiekou jk miyao my jiekouguanli jkgl',
  'field-rule.title':
    'fields rules required format custom fields account field rules 字段 欄位 规则 必填 自定义字段 zhanghaoziduan zhzd ziduan zd guize gz zhanghaoziduanguize zhzdgz',
  'sleep-account.title':
    'dormant sleeping inactive wake exempt 休眠 唤醒 豁免 xiumian xm xiumianzhanghao xmzh huanxing',
  'login-config.title':
    'login settings password policy lock captcha verification code two-step second factor mfa 2fa passkey passkeys authenticator recovery code session 登录 登入 密码 密碼 策略 验证码 两步验证 兩步驟驗證 通行密钥 通行密鑰 身份验证器 驗證器 恢复码 復原碼 锁定 denglu dl denglucelue mima mm celue cl yanzhengma yzm liangbuyanzheng lbyz tongxingmiyao txmy dengluguize dlgz',
  'net-strategy.title':
    'access rules networks ip ranges on campus off campus vpn policy 网络 網路 网段 校内 校外 访问规则 ip段 wangluo wl wangduan wd fangwen fw guize gz xiaonei xiaowai ipduanyufangwenguize ipdyfwgz',
  'current-login-manage.title':
    'sessions online who is logged in kick out logs 在线 会话 会話 踢出 下线 当前登录 日志 日誌 zaixian zx huihua hh tichu tc dangqiandenglu dqdl rizhi rz dangqiandengluguanli dqdlgl',
  'login-log.title':
    'logins log logs records audit refused attempts failed failures 登录日志 登入日誌 登录记录 失败 日志 denglurizhi dlrz denglu dl rizhi rz',
  'app-visit-log.title':
    'visits log logs applications access refused 应用访问日志 應用存取日誌 访问记录 日志 yingyongfangwenrizhi yyfwrz fangwen fw rizhi rz',
  'message-log.title':
    'messages delivery deliveries record log sent failed code sms mail not arrived 消息 訊息 发送记录 發送紀錄 投递 短信 簡訊 邮件 验证码 未收到 日志 xiaoxifasongjilu xxfsjl fasongjilu fsjl duanxin dx yanzhengma yzm rizhi rz',
  'log-insights.title':
    'insights alerts anomalies spraying brute force attack suspicious logs 异常 異常 告警 警報 攻击 可疑 日志 日誌 rizhiyichangtishi rzycts yichang yc gaojing rizhi rz',
  'log-streams.title':
    'log streams syslog rsyslog siem splunk elastic webhook forward collector logs 日志转发 日誌轉送 转发 推送 日志 日誌 rizhizhuanfa rzzf zhuanfa zf',
  'prompt-page.account-login':
    'login page wording prompts texts 登录页 登入頁 提示语 文案 dengluye dly tishiyu tsy wenan zhanghaodenglu zhdl',
  'prompt-page.account-error':
    'login errors wording prompts refused notices 登录错误 登入錯誤 提示语 通知页 denglucuowu dlcw tishiyu tsy dengluyichang dlyc',
  'prompt-page.dynamicCode-login':
    'one-time code verification code wording prompts 验证码登录 驗證碼登入 提示语 yanzhengmadenglu yzmdl tishiyu',
  'prompt-page.get-password':
    'forgot password recovery wording prompts 找回密码 找回密碼 忘记密码 提示语 zhaohuimima zhmm tishiyu wangjimima wjmm',
  'prompt-page.account-activate': 'activation wording prompts 账号激活 帳號啟用 提示语 zhanghaojihuo zhjh tishiyu',
  'prompt-page.userData-add':
    'complete profile first password wording prompts 完善资料 完善資料 首次密码 提示语 wanshanziliao wszl tishiyu',
  'prompt-page.phone-bind':
    'phone email link wording prompts 绑定手机 綁定手機 邮箱 提示语 bangdingshouji bdsj tishiyu bangdingshoujiyuyouxiang bdsjyyx',
  'lock-list.title':
    'locked lock unlock blocked failures wrong password 锁定 鎖定 解锁 suoding sd jiesuo js suodingmingdan suodingzhanghao sdzh',
  'freeze-account.title':
    'frozen freeze suspended suspension leave thaw 冻结 凍結 解冻 休学 停职 dongjie dj jiedong jd dongjiezhanghao djzh',
  'message-template.title':
    'message templates wording mail email sms text message verification code notices test send 消息模板 訊息範本 验证码模板 短信模板 邮件模板 文案 xiaoximoban xxmb yanzhengmamoban yzmmb duanxin dx youjian yj xiaoximuban',
  'login-topic.title':
    'themes theme colours colors background schedule greyscale banner mourning 主题 佈景主題 配色 背景 灰度 dengluzhuti dlzt zhuti zt peise beijing',
  'login-page-setup.title':
    'login page layout slogan filing icp form links 登录页 登入頁 布局 版面 备案 dengluyeshezhi dlysz dengluye dly buju',
  'home-page-settings.title':
    'home page portal my applications announcements carousel welcome sections 首页 首頁 公告 轮播 輪播 欢迎语 shouyeshezhi sysz gonggao gg lunbo',
  'language-list.title':
    'languages language wording texts translations translate i18n messages labels 多语言 多語言 文案 翻译 翻譯 提示语 duoyuyan dyy wenan wa fanyi fy tishiyu tsy',
  'system-settings.title':
    'settings general institution name logo mark contact mail smtp email server sms text messages gateway address https proxy set-up setup get started 系统设置 基本设置 基本設定 学校 學校 名称 标志 邮件 郵件 短信 簡訊 地址 开始 backup 备份 備份 beifen bf xitongshezhi xtsz jibenshezhi jbsz youjian yj duanxin dx xuexiao xx',
  'directory-sync.title':
    'directory sync synchronisation synchronization source people leavers 目录同步 目錄同步 同步 数据同步 mulutongbu mltb tongbu tb',
  'book-sync.title':
    'external address books contacts wecom dingtalk phone book outbound sync push people departments 外部通讯录 外部通訊錄 通讯录同步 企业微信 钉钉 waibutongxunlu wbtxl tongxunlu txl qiyeweixin dingding waibutongxunlutongbu wbtxltb',
  'data-source.title':
    'external data sources database mysql mariadb postgresql csv directory sync 外部数据源 外部資料來源 数据库 資料庫 数据源 同步 waibushujuyuan wbsjy shujuku sjk shujuyuan sjy',
  'scim-client.title':
    'scim provisioning entra id azure ad okta push tokens people groups 推送 推送人員 预配 佈建 令牌 權杖 scimkehuduan khd lingpai lp tuisong ts scimkhd',
  'vendor.qywx':
    'wecom wechat work enterprise qr code login integration corpid agentid 企业微信 企業微信 扫码 qiyeweixin qywx saoma',
  'vendor.dingding': 'dingtalk qr code login integration 钉钉 釘釘 扫码 dingding dd saoma',
  'vendor.weChat': 'wechat weixin qr code login integration open platform 微信 扫码 weixin wx saoma',
  'vendor.qq': 'qq connect qr code login integration tencent 腾讯 扫码 tengxun saoma',
  'vendor.auth-edu':
    'education digital base auth 2.0 oauth openid connect oidc smartedu epaas wecard platform login integration 教育数字基座 教育數位基座 统一认证 統一認證 智慧教育 jiaoyushuzijizuo jysz jyszjz tongyirenzheng tyrz',
  'message-route.title':
    'unified messages routes channels fall over failover quota quiet hours sms mail wecom dingtalk gateway delivery 统一消息 統一訊息 消息 訊息 通道 路由 短信 簡訊 静默 tongyixiaoxi tyxx xiaoxi tongdao duanxin',
  'corporate-mailbox.title':
    'corporate mailbox email mail webmail exmail coremail netease alimail 邮箱 信箱 邮件 郵件 企业邮箱 腾讯企业邮 网易 阿里邮箱 qiyeyouxiang qyyx youxiang yx',
  'change-history.title':
    'history changes audit log logs who changed roll back undo 变更历史 變更 审计 日志 日誌 回滚 biangenglishi bgls biangeng bg rizhi rz huigun hg shenji sj',
}

/** The same for the groups of the menu: each finds its pages. */
const GROUP_WORDS: Readonly<Record<string, string>> = {
  'manage-menu.users': '用户管理 使用者管理 yonghuguanli yhgl',
  'manage-menu.applications': '应用 應用程式 yingyong yy yingyongguanli yygl',
  'manage-menu.security': '安全中心 anquanzhongxin aqzx anquan aq',
  'manage-menu.appearance': '登录主题 登入佈景主題 dengluzhuti dlzt',
  'manage-menu.prompts': '用户提示 使用者提示 yonghutishi yhts',
  'manage-menu.integrations': '集成中心 整合中心 jichengzhongxin jczx jicheng jc',
  'manage-menu.logs': '日志中心 日誌中心 rizhizhongxin rzzx',
  'manage-menu.system': '系统设置 系統設定 xitongshezhi xtsz',
}

/** Every title and group with further words. */
export const PAGES_WITH_WORDS = [...Object.keys(PAGE_WORDS), ...Object.keys(GROUP_WORDS)]

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Does the search text match the page of this title, or its group? */
export const isPageMeant = (typed: string, keys: readonly string[], shown: readonly string[]): boolean =>
  isMeant(typed, keys.map((key) => PAGE_WORDS[key] ?? GROUP_WORDS[key] ?? '').join(' '), shown)

/**
 * Does the search text match the displayed words, or the beginning of one of the others? If it has several words, each
 * must match.
 */
export function isMeant(typed: string, words: string, shown: readonly string[]): boolean {
  const wanted = plain(typed)
  if (shown.some((text) => plain(text).includes(wanted))) return true
  const others = words.split(' ')
  const compact = wanted.replace(/\s+/g, '')
  if (others.some((word) => word.startsWith(compact))) return true
  const all = [...others, ...shown.flatMap((text) => plain(text).split(/\s+/))]
  return wanted.split(/\s+/).every((part) => all.some((word) => word.startsWith(part)))
}
