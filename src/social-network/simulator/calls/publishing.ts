import { SECOND_MS } from '../../../core/clock.ts'
import { isLonger } from '../../../core/values/cut-text.ts'
import { type GraphAnswer, graphError, missingParameter } from '../../../operator/simulator/graph-errors.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { newNetworkId } from '../store.ts'
import {
  type Container,
  containerOf,
  findContainer,
  keepContainer,
  QUOTA,
  quotaUsage,
  statusOf,
} from '../stored-containers.ts'
import { keepPublished } from '../stored-media.ts'

const MAX_CAPTION = 2_200
const CHILDREN = { least: 2, max: 10 }

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** Reads a list from JSON, from JSON text, or from text with commas. */
function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'string') return []
  try {
    const parsed: unknown = JSON.parse(value)
    if (Array.isArray(parsed)) return parsed.map(String)
  } catch {
    // Not JSON: text with commas.
  }
  return value.split(',').map((id) => id.trim())
}

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)
const unfetchable = (): GraphAnswer =>
  graphError(9004, 'The media could not be fetched from this URI', { subcode: 2207052 })

type Draft = Pick<Container, 'type' | 'source' | 'isItem' | 'children'>

/** Reads the post of a request; returns an answer if it cannot be published. */
async function draftOf({ store, account, values, canFetch }: SimulatedCall): Promise<Draft | GraphAnswer> {
  if (values.media_type === 'CAROUSEL') {
    const children = listOf(values.children)
    const found = await Promise.all(children.map((id) => findContainer(store, account, id)))
    const areItems = found.every((child) => child !== undefined && containerOf(child).isItem)
    if (!areItems || children.length < CHILDREN.least || children.length > CHILDREN.max)
      return graphError(100, 'The carousel needs 2 to 10 children', { subcode: 2207028 })
    return { type: 'CAROUSEL', source: null, isItem: false, children }
  }
  const isReel = values.media_type === 'REELS'
  const source = textOf(isReel ? values.video_url : values.image_url)
  if (source === null) return missingParameter(isReel ? 'video_url' : 'image_url')
  if (!isWebAddress(source) || !(await canFetch(source))) return unfetchable()
  return {
    type: isReel ? 'REELS' : 'IMAGE',
    source,
    isItem: isTrue(values.is_carousel_item),
    children: [],
  }
}

const isAnswer = (value: Draft | GraphAnswer): value is GraphAnswer => 'status' in value

async function publish(call: SimulatedCall): Promise<GraphAnswer> {
  const { store, account, values } = call
  if (values.creation_id === undefined) return missingParameter('creation_id')
  const object = await findContainer(store, account, values.creation_id)
  if (!object || containerOf(object).isItem)
    return graphError(24, 'The requested resource does not exist', { subcode: 2207006 })
  const container = containerOf(object)
  const status = statusOf(container, store.currentTime()).code
  if (status === 'EXPIRED') return graphError(24, 'The media has expired', { subcode: 2207008 })
  if (status !== 'FINISHED')
    return graphError(9007, 'The media is not ready to be published', { subcode: 2207027 })
  if ((await quotaUsage(store, account)) >= QUOTA.total)
    return graphError(9, 'The account has reached its publishing limit', { subcode: 2207042 })
  if ((await store.takeFault(account, ['publish-fails'])) !== undefined) {
    const error = 'The account is restricted from publishing.'
    await keepContainer(store, account, object.id, { ...container, error })
    return graphError(25, error, { subcode: 2207050 })
  }
  const id = await keepPublished(call, object.id, container)
  await keepContainer(store, account, object.id, {
    ...container,
    publishedAt: store.currentTime().toISOString(),
  })
  return { status: 200, body: { id } }
}

export const publishingCalls: Calls = {
  'account POST media': async (call) => {
    const { store, account, values } = call
    const caption = textOf(values.caption)
    if (caption !== null && isLonger(caption, MAX_CAPTION))
      return graphError(36004, 'The caption is too long', { subcode: 2207010 })
    const draft = await draftOf(call)
    if (isAnswer(draft)) return draft
    const id = newNetworkId()
    await keepContainer(store, account, id, {
      ...draft,
      caption,
      createdAt: store.currentTime().toISOString(),
      error: null,
      publishedAt: null,
    })
    return { status: 200, body: { id } }
  },
  'container GET': async ({ store, object }) => {
    const { code, words } = statusOf(containerOf(object!), store.currentTime())
    return { status: 200, body: { status_code: code, status: words, id: object!.id } }
  },
  'account POST media_publish': publish,
  'account GET content_publishing_limit': async ({ store, account }) => ({
    status: 200,
    body: {
      data: [
        {
          quota_usage: await quotaUsage(store, account),
          config: { quota_total: QUOTA.total, quota_duration: QUOTA.durationMs / SECOND_MS },
        },
      ],
    },
  }),
}
