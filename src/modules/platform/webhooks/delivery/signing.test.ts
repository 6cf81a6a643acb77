import { expect, test } from 'vitest'
import { newWebhookSecret } from '../../../../core/values/webhook-secret.ts'
import { signatureOf, signedHeaders, standardSignatureOf } from './signing.ts'

test('the signature of Standard Webhooks matches its published example', () => {
  const signature = standardSignatureOf(
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330,
    '{"test": 2432232314}',
  )
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a secret is a prefix and base64 of at least 24 bytes without padding, and no two are equal', () => {
  const secrets = Array.from({ length: 200 }, newWebhookSecret)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(33)
  }
  expect(new Set(secrets).size).toBe(200)
})

test("while two secrets are valid, both sign: separated by commas in the spec's header, by spaces in Standard Webhooks", () => {
  const [current, old] = [newWebhookSecret(), newWebhookSecret()]
  const headers = signedHeaders([current, old], 'e-1', 1_700_000_000, '{}')
  expect(headers['x-webhook-signature']).toBe(
    `${signatureOf([current], 1_700_000_000, '{}')},${signatureOf([old], 1_700_000_000, '{}')}`,
  )
  expect(headers['webhook-signature']).toBe(
    `${standardSignatureOf([current], 'e-1', 1_700_000_000, '{}')} ${standardSignatureOf([old], 'e-1', 1_700_000_000, '{}')}`,
  )
  expect(headers['webhook-timestamp']).toBe(headers['x-webhook-timestamp'])
})
