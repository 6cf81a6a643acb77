import { expect, test } from 'vitest'
import { Action } from '../action-schema.ts'
import { findMissing, type NamedRecords } from './missing-records.ts'

const [KNOWN, UNKNOWN] = ['01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11', '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a12']
const records: NamedRecords = {
  missingTags: ['old'],
  missingFields: ['color'],
  numberIds: new Set([KNOWN]),
  teams: new Map([['0190a000-0000-7000-8000-0000000000aa', 'Support']]),
  bots: new Map([[KNOWN, 'Welcome']]),
  templates: new Map([[KNOWN, {}]]),
}

test.each<[object, string[]]>([
  [{ type: 'add_tags', tags: ['vip', 'old'] }, ['tags[1]']],
  [{ type: 'create_lead', tags: ['old'] }, ['tags[0]']],
  [{ type: 'set_field', field: 'contact.attributes.color', value: 'red' }, ['field']],
  [{ type: 'set_field', field: 'contact.attributes.city', value: 'Pune' }, []],
  [{ type: 'set_field', field: 'lead.attributes.color', value: 'red' }, []],
  [{ type: 'send_template', templateId: KNOWN, phoneNumberId: KNOWN }, []],
  [{ type: 'send_template', templateId: UNKNOWN, phoneNumberId: UNKNOWN }, ['templateId', 'phoneNumberId']],
  [{ type: 'send_text', text: 'Hi', orTemplate: UNKNOWN }, ['orTemplate']],
  [{ type: 'send_text', text: 'Hi' }, []],
  [{ type: 'start_bot', botId: KNOWN }, []],
  [{ type: 'start_bot', botId: UNKNOWN }, ['botId']],
  [{ type: 'wait', minutes: 5 }, []],
])('the missing names of %j', (action, paths) => {
  expect(findMissing(Action.parse(action), records).map(({ path }) => path)).toEqual(paths)
})
