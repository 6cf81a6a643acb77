import { expect, test } from 'vitest'
import { parseFlowJson } from '../../../../operator/simulator/flow-json.ts'
import { flowJsonOf } from './flow-json.ts'
import { FLOW_FIELD_KINDS, FlowScreens, hasOptions, labelMaxOf } from './schema.ts'

const longest = FLOW_FIELD_KINDS.map((kind) => ({
  name: `a_${kind}`,
  kind,
  label: 'x'.repeat(labelMaxOf(kind)),
  ...(hasOptions(kind) ? { options: ['One', 'Two'] } : {}),
}))

test('the operator accepts every kind of field with the longest label', () => {
  const screens = FlowScreens.parse([
    { title: 'x'.repeat(30), fields: longest, button: 'x'.repeat(35) },
    { title: 'Last', fields: [{ name: 'note', kind: 'paragraph', label: 'Note' }], button: 'Send' },
  ])
  expect(parseFlowJson(JSON.stringify(flowJsonOf(screens)))).toEqual({ version: '7.0', faults: [] })
})

test('screens follow one another, and the last one submits the answers of all', () => {
  const screen = (name: string) => ({
    title: name,
    fields: [{ name, kind: 'text', label: name }],
    button: 'Next',
  })
  const { screens } = flowJsonOf(FlowScreens.parse([screen('one'), screen('two')]))
  const actionOf = (index: number) => {
    const form = screens[index]!.layout.children.at(-1) as { children: Record<string, unknown>[] }
    return form.children.at(-1)!['on-click-action']
  }
  expect(actionOf(0)).toMatchObject({ name: 'navigate', next: { type: 'screen', name: 'SCREEN_B' } })
  expect(actionOf(1)).toEqual({
    name: 'complete',
    payload: { one: `$\{screen.SCREEN_A.form.one}`, two: `$\{form.two}` },
  })
  expect(screens.map(({ id, terminal }) => [id, terminal])).toEqual([
    ['SCREEN_A', undefined],
    ['SCREEN_B', true],
  ])
})
