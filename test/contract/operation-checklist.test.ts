/** Every line of docs/operation-checklist.md has its test; the lines without another suite are tested here. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DASHBOARD_ENDPOINTS, ENDPOINTS, JOB_KINDS } from '../../src/catalog.ts'
import { DAY_MS, SECOND_MS } from '../../src/core/clock.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { document } from './conform.ts'
import {
  hasBodyExample,
  hasFittingScope,
  hasSection,
  hasSubject,
  hasSummary,
  type Rule,
} from './operation-rules.ts'
import { LIMITED_BY_RULE, unlimitedIn } from './request-limits.ts'
import { KEYED, nameOf } from './requests.ts'
import { filesIn, read } from './source-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const ALL = [...KEYED, ...DASHBOARD_ENDPOINTS]

/** Returns the endpoints that break a rule, with what they lack. */
const breaking = (values: Endpoint[], rule: Rule): string[] =>
  values.flatMap((value) => {
    const lack = rule(value)
    return lack === undefined ? [] : [`${nameOf(value)}: ${lack}`]
  })

/** An endpoint that breaks every rule. */
const broken = {
  name: 'listThings',
  method: 'GET',
  path: '/things/:thingId',
  summary: 'lists things',
  section: '99.1',
  scope: 'crm:write',
  critical: true,
  body: z.strictObject({ text: z.string() }),
} as unknown as Endpoint

describe('the page', () => {
  const lines = read('docs/operation-checklist.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| the (?:operation|event|work|table) has/.test(line))

  /** Returns the tests of a line: their file, and parts of their titles. */
  const testsOf = (line: string): { file: string; titles: string[] }[] =>
    [...(line.split(' | ')[1] ?? '').matchAll(/`([\w./-]+\.test\.ts)`((?: ?,? "[^"]+")*)/g)].map(
      ([, name = '', titles = '']) => ({
        file: /^(?:src|test)\//.test(name) ? name : `test/contract/${name}`,
        titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title!),
      }),
    )
  const missingIn = (line: string): string[] => {
    const tests = testsOf(line)
    if (tests.length === 0) return [`no test: ${line}`]
    return tests.flatMap(({ file, titles }) =>
      existsSync(join(ROOT, file))
        ? titles.filter((title) => !read(file).includes(title)).map((title) => `${file} has no "${title}"`)
        : [`no file ${file}`],
    )
  }

  test('every line names its tests, and they exist', () => {
    expect(lines.length).toBeGreaterThan(40)
    expect(lines.flatMap(missingIn)).toEqual([])
  })

  test('the check finds a line without a test, a missing file, and a missing title', () => {
    expect(missingIn('| a thing | |')).toEqual(['no test: | a thing | |'])
    expect(missingIn('| a thing | `gone.test.ts` |')).toEqual(['no file test/contract/gone.test.ts'])
    expect(missingIn(`| a thing | \`catalog.test.ts\` "no ${'such'} title" |`)).toHaveLength(1)
  })
})

describe('every operation', () => {
  test.each<[string, Endpoint[], Rule]>([
    ['its section is in the specification', KEYED, hasSection],
    ['its summary is one sentence', ALL, hasSummary],
    ['its scope fits its method', KEYED, hasFittingScope],
    ['its body has an example', KEYED, hasBodyExample],
    ['an id in its path has a kind', ALL, hasSubject],
  ])('%s', (_, values, rule) => {
    expect(breaking(values, rule)).toEqual([])
    expect(breaking([broken], rule)).toHaveLength(1)
  })
})

/** The actions that spec 7.1 pauses while their limiter is unreachable, in its words, with their endpoints. */
const PAUSED: Record<string, string[]> = {
  broadcast: [
    'POST /broadcasts',
    'POST /broadcasts/:id/start',
    'POST /broadcasts/:id/resume',
    'POST /broadcasts/:id/choose',
  ],
  'template submission': ['POST /templates'],
  'secret rotation': ['POST /webhooks/:id/rotate'],
  'contact erasure': ['DELETE /contacts/:id'],
  'bulk write': ['POST /contacts/bulk', 'POST /contacts/bulk-tags'],
  'template deletion': ['DELETE /templates/:id'],
  'integration disconnect': ['DELETE /integrations/:name'],
  'invoice sending': ['POST /sales-invoices/:id/send', 'POST /quotations/:id/send'],
}

test('exactly the actions of spec 7.1 are critical', () => {
  const criticalIn = (values: Endpoint[]) => values.filter(({ critical }) => critical).map(nameOf)
  expect(read('docs/spec.md')).toContain(`(${Object.keys(PAUSED).join(', ')})`)
  expect(criticalIn(ENDPOINTS).sort()).toEqual(Object.values(PAUSED).flat().sort())
  expect(criticalIn([broken])).toEqual(['GET /things/:thingId'])
})

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its keys
type Part = any
const resolve = (part: Part): Part =>
  part?.$ref
    ? resolve(
        part.$ref
          .slice(2)
          .split('/')
          .reduce((inside: Part, name: string) => inside[name], document),
      )
    : (part ?? {})
const described = ({ path, method }: Endpoint): Part =>
  document.paths[documentedPath(path)][method.toLowerCase()]

/** Lists without pages, with the number that they never exceed. */
const BOUNDED: Record<string, string> = {
  'GET /search': 'eight of each kind',
  'GET /phone-numbers': "the business's numbers, which an admin adds",
  'GET /team': "the business's members, whom an admin invites",
  'GET /pipeline/assignment': "the business's members",
  'GET /analytics': '90 days',
  'GET /costs': '90 days',
  'GET /rates': '5,000 rates',
  'GET /contacts/:id/overview': 'five of each kind',
  'GET /reports/volume': '366 days, and 168 hours',
  'GET /reports/response-times': "366 days, and the business's members and teams",
  'GET /reports/resolution-times': "366 days, and the business's members and teams",
  'GET /reports/satisfaction': "366 days, and the business's members",
  'GET /reports/sales': '50 stages, and 50 sources',
  'GET /reports/campaigns': '50 campaigns',
  'GET /broadcasts/:id/results': '50 causes, and the reasons for skipping',
  'GET /ratings': 'five scores',
  'GET /flows': '1,000 forms of an account',
  'GET /pipeline': '50 stages, and 50 lost reasons',
  'GET /views': '200 views',
  'GET /social/posts/recent': 'its limit',
  'GET /social/insights': 'three periods, and five posts',
  'GET /webhooks': '25 endpoints',
  'GET /webhooks/events': 'the events of the catalog',
  'GET /webhooks/samples/:event': 'three samples',
  'GET /billing': 'the modules and add-ons',
  'GET /integrations': 'a fixed list of names',
  'GET /automations': '100 automations',
  'GET /auto-replies/counts': '100 auto-replies',
  'GET /sales-invoices/:id/credit-notes': 'the amount of the invoice: each note credits a part of it',
  'GET /booking-services': '200 services',
  'GET /booking-staff': '200 people',
  'GET /bookings/slots': 'the times of one request',
}

/** Returns the names of the lists in the reply of a described operation without parameters for its pages. */
function unpagedLists(operation: Part): string[] {
  const parameters = ((operation.parameters ?? []) as Part[]).map(({ name }) => name)
  if (parameters.includes('limit') && parameters.includes('cursor')) return []
  if (parameters.includes('page') && parameters.includes('pageSize')) return []
  const schema = resolve(operation.responses?.['200']?.content?.['application/json']?.schema)
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => resolve(field).type === 'array')
    .map(([name]) => name)
}

test('its list has pages or a bound', () => {
  const unpaged = KEYED.filter(
    (value) => value.method === 'GET' && unpagedLists(described(value)).length > 0,
  ).map(nameOf)
  expect(unpaged.sort()).toEqual(Object.keys(BOUNDED).sort())
  const schema = { properties: { things: { type: 'array' } } }
  const reply = { 200: { content: { 'application/json': { schema } } } }
  expect(unpagedLists({ responses: reply })).toEqual(['things'])
  const paged = { parameters: [{ name: 'limit' }, { name: 'cursor' }], responses: reply }
  expect(unpagedLists(paged)).toEqual([])
})

test('every value of its request has a limit', () => {
  const found = KEYED.flatMap((value) => {
    const { requestBody, parameters } = described(value)
    const body = requestBody?.content?.['application/json']?.schema ?? {}
    const queries = (parameters as Part[]).filter((parameter) => parameter.in === 'query')
    return [
      ...unlimitedIn(body, resolve, 'body'),
      ...queries.flatMap(({ name, schema }) => unlimitedIn(schema, resolve, name)),
    ].map((name) => ({ name, place: `${nameOf(value)} ${name}` }))
  })
  expect(found.filter(({ name }) => !(name in LIMITED_BY_RULE)).map(({ place }) => place)).toEqual([])
  const names = new Set(found.map(({ name }) => name))
  expect(Object.keys(LIMITED_BY_RULE).filter((name) => !names.has(name))).toEqual([])
  const made = {
    type: 'object',
    properties: { text: { type: 'string' }, list: { type: 'array', items: { type: 'number' } } },
  }
  expect(unlimitedIn(made, resolve, 'body')).toEqual(['text', 'list', 'list'])
})

/** The files of every module: its folder, and the texts of its sources and of its tests. */
const modules = Map.groupBy(filesIn('src/modules', /\.ts$/), (path) => path.split('/').slice(0, 4).join('/'))
const textOf = (paths: string[]): string => paths.map(read).join('\n')
const modulesWithTexts = [...modules.values()].map((paths) => ({
  sources: textOf(paths.filter((path) => !path.endsWith('.test.ts'))),
  tests: textOf(paths.filter((path) => path.endsWith('.test.ts'))),
}))

/** Operations whose effect is in a later module or in the HTTP layer; the test is there. */
const TESTED_IN: Record<string, string> = {
  'GET /conversations/counts': 'src/modules/messaging/messages/reading/operations/inbox.test.ts',
  'POST /conversations/:id/unread': 'src/modules/messaging/messages/reading/operations/inbox.test.ts',
  'POST /presence': 'src/http/live/presence.test.ts',
}

/** Whether a test calls an address: its whole path, or its last word after a path or as an argument. */
function isCalledIn(tests: string, { path }: Endpoint): boolean {
  const parts = path.split('/').slice(1)
  const whole = parts.map((part) => (part.startsWith(':') ? '[^/\'"`]+' : part)).join('/')
  if (new RegExp(`/${whole}['"\`?]`).test(tests)) return true
  const word = parts.findLast((part) => !part.startsWith(':'))
  return parts.length > 1 && new RegExp(`['"\`/]${word}(?:/\\$\\{[^}]+\\})?['"\`?]`).test(tests)
}

test('a test next to its module calls it', () => {
  const uncalled = ALL.filter((value) => {
    const elsewhere = TESTED_IN[nameOf(value)]
    if (elsewhere) return !isCalledIn(read(elsewhere), value)
    const owners = modulesWithTexts.filter(({ sources }) =>
      ["'", ' '].some((before) => sources.includes(`${before}${value.path}'`)),
    )
    return !owners.some(({ tests }) => isCalledIn(tests, value))
  })
  expect(uncalled.map(nameOf)).toEqual([])
  expect(isCalledIn("shop.get('/others')", broken)).toBe(false)
})

test('every job has an end of its retries', () => {
  const endless = (jobs: { name: string; retrySeconds: readonly number[] }[]) =>
    jobs.filter(({ retrySeconds }) => {
      const seconds = retrySeconds.reduce((sum, wait) => sum + wait, 0)
      return seconds * SECOND_MS > 8 * DAY_MS
    })
  expect(endless(JOB_KINDS).map(({ name }) => name)).toEqual([])
  expect(
    endless([
      { name: 'forever', retrySeconds: [9e9] },
      { name: 'once', retrySeconds: [] },
    ]).map(({ name }) => name),
  ).toEqual(['forever'])
})

describe('every table of a workspace', () => {
  let parley: TestParley
  beforeAll(async () => {
    parley = await boot()
  })
  afterAll(() => parley?.close())

  /** Returns the tables with `workspace_id` whose primary key doesn't start with it. */
  const withOtherKeys = () =>
    parley.system((tx) =>
      tx.sql<{ name: string }>(
        `select c.relname::text as name
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
           join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
           left join pg_index i on i.indrelid = c.oid and i.indisprimary
         where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
           and i.indkey[0] is distinct from a.attnum
         order by 1`,
      ),
    )

  test('starts with its workspace', async () => {
    expect((await withOtherKeys()).map(({ name }) => name)).toEqual([])
    await parley.system((tx) => tx.sql('create table things (id uuid primary key, workspace_id uuid)'))
    expect((await withOtherKeys()).map(({ name }) => name)).toEqual(['things'])
  })
})
