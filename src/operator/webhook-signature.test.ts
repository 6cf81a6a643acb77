import { describe, expect, test } from 'vitest'
import { asciiJson, signWebhook, verifyWebhookSignature } from './webhook-signature.ts'

// Computed with `printf '%s' BODY | openssl dgst -sha256 -hmac SECRET`; the first is test case 2 of RFC 4231.
const vectors = [
  {
    secret: 'Jefe',
    body: 'what do ya want for nothing?',
    hex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    secret: 'app-secret-1',
    body: '{"object":"whatsapp_business_account","entry":[]}',
    hex: '0ca28c0f1996234eb6829e59ad3c11a18161f6eb043943d601e420c312432cdf',
  },
  { secret: 's', body: '', hex: '64eca07cce67929c357d63d0a4aec207e774800403298914fc04e88ce02ac49f' },
  {
    secret: 'app-secret-2',
    body: '{"text":"\\u0928\\u092e","url":"https:\\/\\/a.in"}',
    hex: 'f3c2938df79858ccb34dc3cb49821dddc5f41c1b245e2d99c7720ae59362f0f2',
  },
]

describe('the signature of a webhook (docs/formats.md section 1)', () => {
  test.each(vectors)('agrees with openssl for $body', ({ secret, body, hex }) => {
    expect(signWebhook(body, secret)).toBe(`sha256=${hex}`)
    expect(verifyWebhookSignature(Buffer.from(body), `sha256=${hex}`, secret)).toBe(true)
    expect(verifyWebhookSignature(body, `sha256=${hex.toUpperCase()}`, secret)).toBe(true)
  })

  test('is invalid when one byte, the secret, or the header differs', () => {
    const { secret, body, hex } = vectors[1]!
    const header = `sha256=${hex}`
    expect(verifyWebhookSignature(`${body} `, header, secret)).toBe(false)
    expect(verifyWebhookSignature(body, header, `${secret}x`)).toBe(false)
    const malformed = [
      undefined,
      '',
      hex,
      `sha1=${hex}`,
      `${header}00`,
      header.slice(0, -2),
      'sha256=',
      `sha256=${'z'.repeat(64)}`,
      [header],
    ]
    for (const other of malformed) expect(verifyWebhookSignature(body, other, secret)).toBe(false)
  })
})

describe("the operator's JSON on the wire (docs/formats.md section 16, rule 7)", () => {
  test('is ASCII with lowercase escapes and escaped slashes', () => {
    expect(asciiJson({ url: 'https://a.in/é', text: 'नमस्ते 👍' })).toBe(
      '{"url":"https:\\/\\/a.in\\/\\u00e9","text":"\\u0928\\u092e\\u0938\\u094d\\u0924\\u0947 \\ud83d\\udc4d"}',
    )
  })

  test('has the same value', () => {
    const value = { a: ['/', '\\', '"', '\u007f\u0080\u2028', '\ud800'], b: { 'ключ/': null } }
    expect(JSON.parse(asciiJson(value))).toEqual(value)
  })
})
