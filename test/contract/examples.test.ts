/**
 * Every operation in the document has examples that match its schemas. Examples of replies are real replies:
 * `RECORD_EXAMPLES=1 npm test -- test/contract/examples` records them again.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/catalog.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { type ReplyExample, readReplyExamples } from '../../src/http/openapi/reply-examples.ts'
import { boot } from '../support/boot.ts'
import { arrange, arranging } from './arrange.ts'
import { document, validatorAt } from './conform.ts'
import { exampleOf } from './record-examples.ts'
import { ask, KEYED, named } from './requests.ts'

const FILE = join(import.meta.dirname, '../../src/http/openapi/reply-examples.json')
/** The document is its own example; its beginning is enough. */
const OF_DOCUMENT: ReplyExample = {
  status: 200,
  body: { openapi: document.openapi, info: { title: document.info.title, version: document.info.version } },
}

const ARRANGING = process.env.RECORD_EXAMPLES ? await arranging() : undefined

async function record(): Promise<void> {
  const parley = await boot(ARRANGING)
  try {
    const examples: Record<string, ReplyExample> = { getApiDescription: OF_DOCUMENT }
    for (const value of KEYED) {
      const shop = await parley.workspace({ sandbox: true, name: 'Asha Silks' })
      const request = await arrange(value, shop)
      const { status, body } = await ask(shop, value, request)
      const { now } = (await shop.get('/sandbox/clock')).body
      const moment = new Date(now)
      examples[value.name] = { status, body: exampleOf(body, moment) }
      if (Object.keys(value.replies).length === 1) continue
      const { path } = await arrange(value, shop)
      const again = await ask(shop, value, { path, body: request.body })
      if (again.status !== status)
        examples[value.name]!.again = { status: again.status, body: exampleOf(again.body, moment) }
    }
    await writeFile(FILE, `${JSON.stringify(examples, null, 1)}\n`)
  } finally {
    await parley.close()
  }
}

if (ARRANGING) test('records the replies', record)

// The next run reads the recorded replies.
if (!ARRANGING)
  describe('an example', () => {
    test('belongs to an endpoint', () => {
      const names = ENDPOINTS.map(({ name }) => name)
      expect(Object.keys(readReplyExamples()).filter((name) => !names.includes(name))).toEqual([])
    })

    test.each(named(ENDPOINTS))('%s has an example of each success, which matches the schema', (_, value) => {
      const [path, method] = [documentedPath(value.path), value.method.toLowerCase()]
      for (const status of Object.keys(value.replies)) {
        const place = ['paths', path, method, 'responses', status, 'content', 'application/json']
        const { example } = document.paths[path][method].responses[status].content['application/json']
        expect(example, status).toBeDefined()
        const validate = validatorAt(...place, 'schema')
        expect(validate(example) || validate.errors).toBe(true)
      }
    })

    test.each(Object.keys(document.components.responses))(
      '%s has an example of each code, which matches the schema',
      (name) => {
        const { schema, examples } = document.components.responses[name].content['application/json']
        expect(Object.keys(examples)).toEqual(schema.properties.error.enum)
        for (const code of Object.keys(examples)) {
          const { value } = document.components.examples[code]
          const validate = validatorAt(
            'components',
            'responses',
            name,
            'content',
            'application/json',
            'schema',
          )
          expect(value.error).toBe(code)
          expect(validate(value) || validate.errors).toBe(true)
        }
      },
    )

    test('contains no data of real people or machines', () => {
      const text = JSON.stringify(readReplyExamples())
      expect(
        text
          .match(/127\.0\.0\.1|localhost|\b919[78]\d{8}\b/g)
          ?.filter((number) => !/^91981234567\d$/.test(number)) ?? [],
      ).toEqual([])
    })
  })
