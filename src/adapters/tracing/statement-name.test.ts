import { expect, test } from 'vitest'
import { statementNames } from './statement-name.ts'

test.each([
  ['select id from messages where id = $1 for update', 'SELECT messages'],
  [
    'with due as (select id from deliveries) update "messages" as m set status = $1 from due',
    'UPDATE messages',
  ],
  ['with found as (select 1 from contacts) insert into "events" (id) select * from found', 'INSERT events'],
  ['insert into usage (n) values ($1) on conflict (id) do update set n = $1', 'INSERT usage'],
  ['delete from jobs where id = any ($1)', 'DELETE jobs'],
  ['select set_config($1, $2, true)', 'SELECT'],
  ['LISTEN changes', 'LISTEN'],
  ['', 'STATEMENT'],
])('%s is named %s', (text, name) => {
  expect(statementNames()(text)).toBe(name)
})
