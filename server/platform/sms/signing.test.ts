import { expect, test } from 'vitest'
import { signAcs3 } from './aliyun.ts'
import { signTc3 } from './tencent.ts'

test("Aliyun's signature is what its own SDK computes", () => {
  const { authorization } = signAcs3({
    host: 'dysmsapi.aliyuncs.com',
    path: '/',
    query: {
      PhoneNumbers: '13800000000',
      SignName: '测试',
      TemplateCode: 'SMS_1',
      TemplateParam: '{"code":"123456"}',
    },
    body: '',
    action: 'SendSms',
    version: '2017-05-25',
    accessKeyId: 'testId',
    accessKeySecret: 'testSecret',
    now: new Date('2023-11-14T22:13:20Z'),
    nonce: '45e25e9b-0a6f-4070-8c85-2956eda1b466',
  })
  expect(authorization).toContain('Signature=3109d4c599b41a3c9dfa1c475e32255a9ff907d0f4a4da36c55fc5525d4648f8')
})

test("Tencent's signature is what its own SDK computes", () => {
  const authorization = signTc3({
    host: 'sms.tencentcloudapi.com',
    path: '/',
    contentType: 'application/json',
    timestamp: 1_700_000_000,
    body: '{"PhoneNumberSet":["+8613800000000"],"SmsSdkAppId":"1400006666","TemplateId":"1110","SignName":"Test","TemplateParamSet":["4370"]}',
    secretId: 'AKIDEXAMPLE',
    secretKey: 'SecretKeyExample',
  })
  expect(authorization).toContain('Signature=4abd65dade9b482eef1ca6f99c163f5701f0e7960a5f64703550cab0c5993981')
})
