import type { RandomSource } from './demo-random.rules.ts'

export type Gender = 'male' | 'female'

/** Frequent ones are repeated, as in a real class. */
const SURNAMES = Array.from(
  '王王王王李李李李张张张张刘刘刘陈陈陈杨杨黄黄赵赵周周吴吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚',
)
const COMPOUND = ['欧阳', '司马', '诸葛', '上官', '司徒', '夏侯', '令狐']

const GIVEN: Record<Gender, readonly string[]> = {
  male: Array.from(
    '伟强磊军洋勇杰涛明超辉鹏华飞斌宇浩凯健俊帆博睿轩子豪然毅恒晨阳文瑞霖泽远志昊天航嘉承安一诺铭哲煜熙',
  ),
  female: Array.from(
    '芳娜敏静丽娟艳秀英霞燕玲桂雪婷慧莹洁琳萍红玉倩云梅兰怡欣悦佳颖诗涵梦瑶雨萱语桐思若曦清宁晓月可心妍',
  ),
}

/** Names that often break software: variant characters, long names, characters outside the basic plane. */
const UNUSUAL: readonly [name: string, gender: Gender][] = [
  ['买买提·吐尔逊', 'male'],
  ['阿依古丽·艾山', 'female'],
  ['迪丽努尔·吾买尔', 'female'],
  ['阿卜杜热西提·阿卜杜克里木', 'male'],
  ['古丽米热·麦麦提', 'female'],
  ['扎西次仁', 'male'],
  ['卓玛央金', 'female'],
  ['乌兰图雅', 'female'],
  ['巴特尔', 'male'],
  ['王𠮷', 'male'],
  ['李䶮', 'male'],
  ['张𬍛', 'male'],
  ['刘㛃', 'female'],
  ['陈喆', 'male'],
  ['仇单于', 'male'],
  ['曾查', 'female'],
]

const ENGLISH: readonly [name: string, gender: Gender][] = [
  ['Emily Carter', 'female'],
  ['James O’Connor', 'male'],
  ['Sofia Müller', 'female'],
  ['Lucas Martin', 'male'],
  ['Anna Kowalska', 'female'],
  ['Kenji Tanaka', 'male'],
  ['Priya Raman', 'female'],
  ['David Nguyễn', 'male'],
  ['Chloé Dubois', 'female'],
  ['Michael van der Berg', 'male'],
  ['Olga Petrova', 'female'],
  ['José García López', 'male'],
]

export type Named = { name: string; gender: Gender }

export const unusualName = (at: number): Named => named(UNUSUAL, at)
export const englishName = (at: number): Named => named(ENGLISH, at)
export const UNUSUAL_COUNT = UNUSUAL.length
export const ENGLISH_COUNT = ENGLISH.length

function named(list: readonly (readonly [string, Gender])[], at: number): Named {
  const [name, gender] = list[at % list.length] ?? ['', 'male']
  return { name, gender }
}

/** An ordinary Chinese name: a surname of one character, seldom two, and one or two more. */
export function chineseName(chance: RandomSource): Named {
  const gender = chance.isTrue(50) ? 'male' : 'female'
  const surname = chance.isTrue(2) ? chance.pick(COMPOUND) : chance.pick(SURNAMES)
  const first = chance.pick(GIVEN[gender])
  const second = chance.isTrue(72) ? chance.pick(GIVEN[gender]) : ''
  return { name: surname + first + second, gender }
}
