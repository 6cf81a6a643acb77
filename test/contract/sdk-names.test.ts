/** Every operation has one name in the SDKs, which a stranger can guess and every language can write (src/tools/sdk-names.ts). */
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/catalog.ts'
import { HANDWRITTEN, type SdkMethod, sdkCall, sdkMethods } from '../../src/tools/sdk-names.ts'

const methods = sdkMethods(ENDPOINTS)
const nameOf = ({ resource, verb }: SdkMethod): string => (resource ? `${resource}.${verb}` : verb)
const downloadsOf = (method: SdkMethod): string[] =>
  method.download ? [nameOf({ ...method, verb: method.download.verb })] : []
const names = [...methods.flatMap((method) => [nameOf(method), ...downloadsOf(method)]), ...HANDWRITTEN]

/** Words that Python and JavaScript reserve, which a method of an object may not have as its name in one of them. */
const RESERVED =
  /^(?:and|as|assert|async|await|break|class|constructor|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|then|try|while|with|yield)$/

test('every operation has a name', () => {
  expect(methods.map(({ endpoint }) => endpoint.name)).toEqual(ENDPOINTS.map(({ name }) => name))
})

test('no two methods share a name, also in Python', () => {
  const inPython = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(inPython.filter((name, i) => inPython.indexOf(name) !== i)).toEqual([])
  const resources = new Set(methods.map(({ resource }) => resource))
  expect(names.filter((name) => resources.has(name))).toEqual([])
})

test('names are plain words that no language reserves', () => {
  const words = names.flatMap((name) => name.split('.'))
  expect(words.filter((word) => !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(word))).toEqual([])
  expect(words.filter((word) => RESERVED.test(word))).toEqual([])
})

test('names do not repeat their resource, and keep no word without its noun', () => {
  const odd = methods.filter(({ resource, verb }) => {
    const own = (resource ?? '').replace(/ies$/, 'y').replace(/s$/, '')
    return (
      (own !== '' && verb.toLowerCase().includes(own.toLowerCase())) || /(?:Of|From|To|In|By)$/.test(verb)
    )
  })
  expect(odd.map(nameOf)).toEqual([])
})

test('a reply that continues is a list whose entries a program can iterate over', () => {
  const continuing = methods.filter(({ endpoint }) => {
    const shape = (endpoint.query as { shape?: object }).shape ?? {}
    return 'cursor' in shape || 'pageSize' in shape
  })
  expect(continuing.length).toBeGreaterThan(0)
  expect(continuing.filter(({ paging }) => paging === null).map(nameOf)).toEqual([])
})

test('a method that returns data or a file has a second method for the file, with its formats', () => {
  const withFiles = methods.filter(({ endpoint }) => endpoint.alsoAs)
  expect(withFiles.length).toBeGreaterThan(0)
  for (const { download, endpoint } of withFiles)
    expect(download?.formats).toHaveLength(Object.keys(endpoint.alsoAs!).length)
})

describe('examples', () => {
  test.each([
    ['POST /send', 'messages.send(body)'],
    ['GET /messages/:id/media', 'messages.getMedia(id)'],
    ['GET /leads', 'leads.list(query?)'],
    ['POST /leads', 'leads.capture(body)'],
    ['PATCH /leads/:id', 'leads.update(id, body)'],
    ['POST /conversations/:id/notes', 'conversations.addNote(id, body)'],
    ['GET /me', 'me()'],
    ['POST /webhooks/deliveries/:id/redeliver', 'webhooks.redeliver(id)'],
    ['PATCH /pipeline/stages/:id', 'pipeline.updateStage(id, body)'],
    ['GET /social/posts', 'social.listPosts(query?)'],
    ['POST /social/comments/:id/reply', 'social.replyToComment(id, body)'],
    ['PATCH /quick-replies/:id', 'quickReplies.update(id, body)'],
    ['POST /sales-invoices/:id/payments', 'salesInvoices.recordPayment(id, body)'],
    ['GET /sales-invoices/:id/payments/:paymentId', 'salesInvoices.getReceipt(id, paymentId)'],
    ['POST /broadcasts/:id/start', 'broadcasts.start(id, body?)'],
  ])('%s is %s', (route, call) => {
    const method = methods.find(({ endpoint }) => `${endpoint.method} ${endpoint.path}` === route)!
    expect(sdkCall(method)).toBe(call)
  })
})
