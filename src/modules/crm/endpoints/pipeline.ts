import { endpoint, reply } from '../../../core/endpoint.ts'
import { initialStage, readPipeline } from '../operations/read-pipeline.ts'
import { Pipeline } from '../schema.ts'

export const getPipeline = endpoint({
  method: 'GET',
  path: '/pipeline',
  summary: 'Stages and lost reasons, in order.',
  tag: 'Pipeline',
  section: '4.5',
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: Pipeline },
  refuses: [],
  handle: async (ctx) => {
    const pipeline = await readPipeline(ctx)
    return reply(200, { ...pipeline, initialStageId: initialStage(pipeline).id })
  },
})
