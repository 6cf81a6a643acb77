import { endpoint, reply } from '../../../../core/endpoint.ts'
import { previewCampaign } from '../operations/preview-campaign.ts'
import { BroadcastPreview, Preview } from '../preview-schema.ts'

export const postBroadcastPreview = endpoint({
  name: 'previewBroadcast',
  method: 'POST',
  path: '/broadcasts/preview',
  summary: 'Preview a campaign: its audience, its duration, its cost, and the errors that it would return.',
  description:
    'Takes the body of `POST /broadcasts`; `name` is optional. Costs nothing and stores nothing. The cost uses the imported rates; a key without `billing:read` gets none.',
  tag: 'Campaigns',
  tool: {
    title: 'Preview a campaign',
    when: 'Use it to see how many customers a campaign would reach, its cost, and its problems. It sends nothing.',
    effect: 'reads',
  },
  section: '4.10',
  scope: 'broadcasts:write',
  role: 'agent',
  bucket: 'reads',
  body: BroadcastPreview,
  example: {
    templateId: '0197a1b2-0000-7000-8000-000000000041',
    phoneNumberId: '0197a1b2-0000-7000-8000-000000000042',
    segment: { tags: ['vip'], lastSeenWithinDays: 90 },
  },
  replies: { 200: Preview },
  refuses: ['invalid_reference', 'insufficient_scope'],
  handle: async (ctx, { body }) => reply(200, await previewCampaign(ctx, body)),
})
