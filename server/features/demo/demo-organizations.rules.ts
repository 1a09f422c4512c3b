/** `[code, 简体, 繁體, English]`, with the units below. */
type Unit = readonly [code: string, zhCn: string, zhTw: string, en: string]
type Branch = { attribute: 'teaching' | 'administration' | 'research' | 'service'; unit: Unit; below: readonly Unit[] }

const school: Unit = ['school', '示范大学', '示範大學', 'Demo University']

const BRANCHES: readonly Branch[] = [
  {
    attribute: 'teaching',
    unit: ['humanities', '文学院', '文學院', 'School of Humanities'],
    below: [
      ['chinese', '中国语言文学系', '中國語言文學系', 'Chinese Language and Literature'],
      ['history', '历史学系', '歷史學系', 'History'],
      ['philosophy', '哲学系', '哲學系', 'Philosophy'],
      ['journalism', '新闻与传播系', '新聞與傳播系', 'Journalism and Communication'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['science', '理学院', '理學院', 'School of Science'],
    below: [
      ['mathematics', '数学系', '數學系', 'Mathematics'],
      ['physics', '物理学系', '物理學系', 'Physics'],
      ['chemistry', '化学系', '化學系', 'Chemistry'],
      ['biology', '生物科学系', '生物科學系', 'Biology'],
      ['geography', '地理学系', '地理學系', 'Geography'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['information', '信息科学与技术学院', '資訊科學與技術學院', 'School of Information Science'],
    below: [
      ['cs', '计算机科学系', '電腦科學系', 'Computer Science'],
      ['software', '软件工程系', '軟體工程系', 'Software Engineering'],
      ['electronics', '电子工程系', '電子工程系', 'Electronic Engineering'],
      ['ai', '人工智能系', '人工智慧系', 'Artificial Intelligence'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['engineering', '工学院', '工學院', 'School of Engineering'],
    below: [
      ['mechanics', '机械工程系', '機械工程系', 'Mechanical Engineering'],
      ['civil', '土木工程系', '土木工程系', 'Civil Engineering'],
      ['materials', '材料科学与工程系', '材料科學與工程系', 'Materials Science'],
      ['architecture', '建筑学系', '建築學系', 'Architecture'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['management', '经济管理学院', '經濟管理學院', 'School of Economics and Management'],
    below: [
      ['economics', '经济学系', '經濟學系', 'Economics'],
      ['accounting', '会计学系', '會計學系', 'Accounting'],
      ['business', '工商管理系', '企業管理系', 'Business Administration'],
      ['public', '公共管理系', '公共行政系', 'Public Administration'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['law', '法学院', '法學院', 'School of Law'],
    below: [
      ['jurisprudence', '法理学教研室', '法理學教研室', 'Jurisprudence'],
      ['civil-law', '民商法教研室', '民商法教研室', 'Civil and Commercial Law'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['languages', '外国语学院', '外國語學院', 'School of Foreign Languages'],
    below: [
      ['english', '英语系', '英語系', 'English'],
      ['japanese', '日语系', '日語系', 'Japanese'],
      ['translation', '翻译系', '翻譯系', 'Translation Studies'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['medicine', '医学院', '醫學院', 'School of Medicine'],
    below: [
      ['clinical', '临床医学系', '臨床醫學系', 'Clinical Medicine'],
      ['nursing', '护理学系', '護理學系', 'Nursing'],
      ['pharmacy', '药学系', '藥學系', 'Pharmacy'],
      ['public-health', '公共卫生系', '公共衛生系', 'Public Health'],
    ],
  },
  {
    attribute: 'teaching',
    unit: ['arts', '艺术学院', '藝術學院', 'School of Arts'],
    below: [
      ['music', '音乐系', '音樂系', 'Music'],
      ['fine-arts', '美术系', '美術系', 'Fine Arts'],
      ['design', '设计系', '設計系', 'Design'],
    ],
  },
  {
    attribute: 'research',
    unit: ['institutes', '研究院', '研究院', 'Institutes'],
    below: [
      ['climate', '气候与环境研究中心', '氣候與環境研究中心', 'Centre for Climate and Environment'],
      ['data', '数据科学研究中心', '資料科學研究中心', 'Centre for Data Science'],
      ['heritage', '文化遗产研究中心', '文化遺產研究中心', 'Centre for Cultural Heritage'],
    ],
  },
  {
    attribute: 'administration',
    unit: ['administration', '行政部门', '行政單位', 'Administration'],
    below: [
      ['president', '校长办公室', '校長室', "President's Office"],
      ['academic-affairs', '教务处', '教務處', 'Academic Affairs'],
      ['research-office', '科研处', '研究發展處', 'Research Office'],
      ['finance-office', '财务处', '主計室', 'Finance Office'],
      ['personnel', '人事处', '人事室', 'Human Resources'],
      ['international', '国际交流处', '國際事務處', 'International Office'],
    ],
  },
  {
    attribute: 'service',
    unit: ['services', '公共服务', '公共服務', 'Campus Services'],
    below: [
      ['library-unit', '图书馆', '圖書館', 'University Library'],
      ['it', '信息化办公室', '資訊中心', 'IT Services'],
      ['logistics', '后勤保障部', '總務處', 'Facilities'],
      ['archive', '档案馆', '檔案館', 'Archives'],
    ],
  },
]

const entry = ([code, name, zhTw, en]: Unit, parent: string | null, attribute: string | null) => ({
  code,
  name,
  names: { zh_TW: zhTw, en },
  parent,
  attribute,
})

/** The department attributes of the demo school. */
export const demoAttributes = (
  [
    ['teaching', '教学单位', '教學單位', 'Teaching'],
    ['research', '科研机构', '研究機構', 'Research'],
    ['administration', '行政部门', '行政單位', 'Administration'],
    ['service', '公共服务', '公共服務', 'Services'],
  ] as const
).map(([code, name, zhTw, en]) => ({ code, name, names: { zh_TW: zhTw, en } }))

/** The organisations of the demo school, three levels. */
export const demoOrganizations = () => [
  entry(school, null, null),
  ...BRANCHES.flatMap(({ unit, attribute, below }) => [
    entry(unit, 'school', attribute),
    ...below.map((one) => entry(one, unit[0], attribute)),
  ]),
]

/** The codes of the units with people of this attribute. */
export const unitsOf = (attribute: Branch['attribute']): string[] =>
  BRANCHES.filter((branch) => branch.attribute === attribute).flatMap(({ below }) => below.map(([code]) => code))
