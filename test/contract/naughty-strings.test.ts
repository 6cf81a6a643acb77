/**
 * The corpus of naughty strings in the text fields of writes: each string is returned byte for byte, or
 * rejected by name.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { newPhone } from './arrange.ts'

const strings: string[] = JSON.parse(readFileSync(join(import.meta.dirname, '../corpora/blns.json'), 'utf8'))
/** Fewer than the smallest burst of these writes. */
const STRINGS_PER_SHOP = 90
/** Number of concurrent writes: fewer than a crowded machine rejects. */
const AT_ONCE = 24

type Scene = { shop: TestWorkspace; phone: string; conversationId: string; leadId: string }
let parley: TestParley
let scenes: Scene[]
beforeAll(async () => {
  parley = await boot()
  scenes = await Promise.all(
    Array.from({ length: Math.ceil(strings.length / STRINGS_PER_SHOP) }, async () => {
      const shop = await parley.workspace({ sandbox: true })
      const phone = newPhone()
      await shop.inbound(phone, 'hello')
      const conversationId = (await shop.get('/conversations')).body.conversations[0].id
      const leadId = (await shop.post('/leads', { phone })).body.lead.id
      return { shop, phone, conversationId, leadId }
    }),
  )
})
afterAll(() => parley.close())

type Write = {
  path: string
  body: object
  /** The texts that the answer, and a later read, must contain unchanged, by the name of their field. */
  kept(body: Body): Record<string, unknown>
  read?(body: Body): string
}

/** A blank name counts as none. */
const nameIn = (name: string | null, text: string) => name ?? (text.trim() === '' ? text : null)

/** One write for each kind of stored text; `text` is in every named field. */
const WRITES: Record<string, (scene: Scene, text: string) => Write> = {
  'POST /contacts': (_, text) => ({
    path: '/contacts',
    body: { phone: newPhone(), displayName: text, optInSource: text, attributes: { text } },
    kept: ({ contact }) => ({
      displayName: nameIn(contact.displayName, text),
      optInSource: nameIn(contact.optInSource, text),
      attributes: contact.attributes.text,
    }),
    read: ({ contact }) => `/contacts/${contact.id}`,
  }),
  'POST /leads': (_, text) => ({
    path: '/leads',
    body: { phone: newPhone(), name: text, source: text, attributes: { text } },
    kept: ({ lead }) => ({
      name: nameIn(lead.name, text),
      source: nameIn(lead.source, text),
      attributes: lead.attributes.text,
    }),
    read: ({ lead }) => `/leads/${lead.id}`,
  }),
  'POST /send': ({ phone }, text) => ({
    path: '/send',
    body: { to: phone, type: 'text', text },
    kept: (body) => (body.message ? { text: body.message.content.body } : {}),
    read: (body) => `/messages/${body.messageId}`,
  }),
  'POST /conversations/:id/notes': ({ conversationId }, text) => ({
    path: `/conversations/${conversationId}/notes`,
    body: { body: text },
    kept: ({ note }) => ({ body: note.body }),
  }),
  'POST /quick-replies': (_, text) => ({
    path: '/quick-replies',
    body: { shortcut: randomUUID(), text },
    kept: ({ quickReply }) => ({ text: quickReply.text }),
  }),
}

test('the corpus exists', () => expect(strings.length).toBeGreaterThan(500))

/** Returns the problem with the answer to one string, or nothing; `kept` says whether it was stored. */
async function writeOne(scene: Scene, writeOf: (scene: Scene, text: string) => Write, text: string) {
  const write = writeOf(scene, text)
  const answer = await scene.shop.post(write.path, write.body)
  const detail = `${JSON.stringify(text)}: ${answer.status} ${answer.text.slice(0, 300)}`
  if (answer.status === 400) {
    const named = answer.body.issues?.map((issue: { path: string }) => issue.path) ?? []
    const fields = Object.keys(write.body)
    const right = named.length > 0 && named.every((path: string) => fields.includes(path.split(/[.[]/)[0]!))
    return { kept: false, wrong: right ? [] : [detail] }
  }
  if (answer.status >= 300) return { kept: false, wrong: [detail] }
  const views = [answer.body]
  if (write.read) views.push((await scene.shop.get(write.read(answer.body))).body)
  const right = views.every((view) => Object.values(write.kept(view)).every((value) => value === text))
  return { kept: true, wrong: right ? [] : [detail] }
}

test.each(Object.entries(WRITES))('%s stores them unchanged, or names the field', async (_, writeOf) => {
  const outcomes: Awaited<ReturnType<typeof writeOne>>[] = []
  for (let from = 0; from < strings.length; from += AT_ONCE) {
    const batch = strings.slice(from, from + AT_ONCE).map((text, index) => {
      const scene = scenes[Math.floor((from + index) / STRINGS_PER_SHOP)]!
      return writeOne(scene, writeOf, text)
    })
    outcomes.push(...(await Promise.all(batch)))
  }
  expect(outcomes.flatMap(({ wrong }) => wrong)).toEqual([])
  const keptCount = outcomes.filter((outcome) => outcome.kept).length
  expect(keptCount, 'most of them are kept').toBeGreaterThan(strings.length / 2)
})
