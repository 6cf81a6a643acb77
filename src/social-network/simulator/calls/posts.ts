import { graphError } from '../../../operator/simulator/graph-errors.ts'
import { pageOf } from '../../../operator/simulator/graph-page.ts'
import type { Calls } from '../call.ts'
import { nodeAnswer, selectFields } from '../node-fields.ts'
import { accountFigures, MAX_PERIOD_SECONDS, mediaFigures } from '../simulated-figures.ts'
import { nodeOf, nodeWith } from '../stored-media.ts'

const MEDIA = { byDefault: ['id'], type: 'IGMedia' }

/** Reads names from a list, from JSON text, or from text with commas. */
const namesIn = (metric: unknown): string[] => {
  const names = typeof metric === 'string' ? metric.split(',') : Array.isArray(metric) ? metric : []
  return names.map((name) => String(name).replaceAll(/[[\]"\s]/g, ''))
}

const figure = (id: string, name: string, rest: object) => ({
  name,
  title: name,
  description: name,
  id: `${id}/insights/${name}`,
  ...rest,
})

export const postCalls: Calls = {
  'account GET media': async (call) => {
    const { store, account, values } = call
    const [media, comments] = await Promise.all([
      store.list(account, 'media'),
      store.list(account, 'comment'),
    ])
    const counts = new Map<unknown, number>()
    for (const { value } of comments) counts.set(value.media_id, (counts.get(value.media_id) ?? 0) + 1)
    const nodes = media.reverse().map((object) => nodeWith(object, counts.get(object.id) ?? 0))
    const read = pageOf(call, nodes, (node) => String(node.id))
    if (!read.ok) return read.answer
    const selected = read.page.data.map((node) => selectFields(node, values.fields, MEDIA))
    const refused = selected.find((selection) => !selection.ok)
    if (refused && !refused.ok) return refused.answer
    return {
      status: 200,
      body: { ...read.page, data: selected.flatMap((selection) => (selection.ok ? [selection.node] : [])) },
    }
  },
  'media GET': async ({ store, account, object, values }) => {
    return nodeAnswer(await nodeOf(store, account, object!), values.fields, MEDIA)
  },
  'media GET insights': async ({ store, account, object, values }) => {
    const figures = mediaFigures(await nodeOf(store, account, object!))
    const data = namesIn(values.metric).flatMap((name) =>
      figures[name] === undefined
        ? []
        : [
            figure(object!.id, `${name}/lifetime`, {
              name,
              period: 'lifetime',
              values: [{ value: figures[name] }],
            }),
          ],
    )
    return { status: 200, body: { data } }
  },
  'account GET insights': async ({ store, account, values }) => {
    const [since, until] = [Number(values.since), Number(values.until)]
    if (!(since < until)) return graphError(100, '(#100) since must come before until')
    if (until - since > MAX_PERIOD_SECONDS)
      return graphError(100, '(#100) There cannot be more than 30 days between since and until')
    if (values.metric_type !== 'total_value')
      return graphError(100, '(#100) Incompatible metric_type; use total_value')
    const media = await store.list(account, 'media')
    const figures = accountFigures(
      account,
      { since: new Date(since * 1000), until: new Date(until * 1000) },
      media.map(({ value }) => value),
    )
    const data = namesIn(values.metric).flatMap((name) =>
      figures[name] === undefined
        ? []
        : [
            figure(account.networkId, `${name}/day`, {
              name,
              period: 'day',
              total_value: { value: figures[name] },
            }),
          ],
    )
    return { status: 200, body: { data } }
  },
}
