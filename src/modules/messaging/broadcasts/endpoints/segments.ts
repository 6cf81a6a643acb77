import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import { allowLongReads } from '../../../../database/sql/costly-reads.ts'
import * as segments from '../operations/segments.ts'
import {
  changeSegment,
  countSegment,
  listSegments,
  readSegment,
  saveSegment,
} from '../operations/segments.ts'
import { NewSegment, Segment, SegmentCount, SegmentCountBody, SegmentPatch } from '../segment-schema.ts'

const OneSegment = z.object({ segment: Segment })
const shared = { tag: 'Campaigns', section: '4.10' } as const
const read = { ...shared, scope: 'contacts:read', role: 'viewer', bucket: 'reads' } as const
const write = { ...shared, scope: 'contacts:write', role: 'agent', bucket: 'settings-writes' } as const

export const getSegments = endpoint({
  ...read,
  name: 'listSegments',
  method: 'GET',
  path: '/segments',
  summary: 'List saved segments, newest first.',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('segments', Segment) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listSegments(ctx, query)),
})

export const postSegment = endpoint({
  ...write,
  name: 'createSegment',
  method: 'POST',
  path: '/segments',
  summary: 'Create a segment: a saved group of contacts.',
  description:
    'Contacts must match every condition: any of `tags`, none of `excludeTags`, `optInStatus`, written within `lastSeenWithinDays` days. A list of `contactIds` can replace the conditions. Campaigns use the segment as `{"segmentId": …}`.',
  body: NewSegment,
  example: {
    name: 'Regulars in Pune',
    segment: { tags: ['pune'], excludeTags: ['staff'], lastSeenWithinDays: 90 },
  },
  replies: { 201: OneSegment },
  refuses: ['conflict', 'invalid_reference'],
  handle: async (ctx, { body }) => reply(201, { segment: await saveSegment(ctx, body) }),
})

export const postSegmentCount = endpoint({
  ...write,
  bucket: 'reads',
  name: 'countSegment',
  method: 'POST',
  path: '/segments/count',
  summary: 'Count the contacts that match conditions, without saving them.',
  description:
    'Takes the `segment` of `POST /segments`. `reachable` leaves out contacts who opted out or are blocked. Stores nothing.',
  body: SegmentCountBody,
  example: { segment: { tags: ['pune'], lastSeenWithinDays: 90 } },
  replies: { 200: SegmentCount },
  refuses: ['invalid_reference'],
  handle: async (ctx, { body }) => {
    await allowLongReads(ctx.tx)
    return reply(200, await countSegment(ctx, body.segment))
  },
})

export const getOneSegment = endpoint({
  ...read,
  name: 'getSegment',
  method: 'GET',
  path: '/segments/:id',
  summary: 'Get one segment, and the number of its contacts now.',
  subject: 'segment',
  replies: { 200: OneSegment },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    const [, segment] = await Promise.all([allowLongReads(ctx.tx), readSegment(ctx, params.id)])
    return reply(200, { segment })
  },
})

export const patchSegment = endpoint({
  ...write,
  name: 'updateSegment',
  method: 'PATCH',
  path: '/segments/:id',
  summary: 'Rename a segment, or change its conditions.',
  description:
    '`segment` replaces all conditions. Campaigns that were created with the segment do not change.',
  subject: 'segment',
  body: SegmentPatch,
  example: { segment: { tags: ['pune', 'mumbai'] } },
  replies: { 200: OneSegment },
  refuses: ['not_found', 'conflict', 'invalid_reference'],
  handle: async (ctx, { params, body }) => reply(200, { segment: await changeSegment(ctx, params.id, body) }),
})

export const deleteSegment = endpoint({
  ...write,
  name: 'deleteSegment',
  method: 'DELETE',
  path: '/segments/:id',
  summary: 'Delete a segment.',
  subject: 'segment',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await segments.deleteSegment(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})
