import { z } from 'zod'
import { isLonger } from '../../core/values/cut-text.ts'
import { exactly, type FaultMark, must, object, oneOf, operatorId, words } from './fields.ts'
import { Body, Footer, Header, LABEL_MAX } from './interactive-parts.ts'

const Parameters = object({
  flow_message_version: z
    .union([exactly('3'), z.literal(3).transform(() => '3' as const)], must('3'))
    .meta({ description: 'Version of the message format, not of the form: 3.' }),
  flow_id: operatorId.optional(),
  flow_name: words(200).optional(),
  flow_cta: words(200).meta({
    description: `Label of the button, at most ${LABEL_MAX} characters. A draft does not show it, so it can be longer.`,
  }),
  flow_token: words(200).optional(),
  mode: oneOf(['published', 'draft']).optional(),
  flow_action: oneOf(['navigate', 'data_exchange']).optional(),
  flow_action_payload: object({
    screen: words(200).optional(),
    data: z
      .record(z.string(), z.unknown(), must('an object'))
      .refine((data) => Object.keys(data).length > 0, 'Must not be empty.')
      .optional(),
  }).optional(),
})
  .refine(({ flow_id, flow_name }) => (flow_id === undefined) !== (flow_name === undefined), {
    error: 'Must have either flow_id or flow_name.',
    path: ['flow_id'],
  })
  .refine(({ mode, flow_cta }) => mode === 'draft' || !isLonger(flow_cta, LABEL_MAX), {
    error: `Must be at most ${LABEL_MAX} characters.`,
    path: ['flow_cta'],
    params: { fault: 'tooLong', max: LABEL_MAX } satisfies FaultMark,
  })
  .refine((flow) => flow.flow_action !== 'data_exchange' || flow.flow_action_payload === undefined, {
    error: 'Must be left out unless the action is navigate.',
    path: ['flow_action_payload'],
  })

/** A form that opens inside the chat (docs/formats.md section 2). */
export const FlowMessage = object({
  type: exactly('flow'),
  header: Header.optional(),
  body: Body,
  footer: Footer.optional(),
  action: object({ name: exactly('flow'), parameters: Parameters }),
})
