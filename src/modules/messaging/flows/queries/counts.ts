/** SQL that counts how often forms were sent and answered. */
import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { MAX_COUNTED } from '../schema.ts'
import type { FlowRow } from './flows.ts'

export type FlowCounts = Pick<FlowRow, 'id'> & { sent: number; answered: number }

/**
 * Counts the messages with each form since a time, and those of them that customers answered: at most `MAX_COUNTED` rows of
 * an index for each number.
 */
export const countForms = (
  ctx: Context,
  forms: Pick<FlowRow, 'id' | 'operatorId'>[],
  since: Date,
): Promise<FlowCounts[]> =>
  ctx.tx.sql<FlowCounts>(
    `select f.id, sends.count as sent, answers.count as answered
     from unnest($2::uuid[], $3::text[]) as f (id, operator_id)
     cross join lateral (
       select count(*)::int4 as count from (
         select 1 from messages m
         where m.workspace_id = $1 and m.type = 'interactive'
           and m.content -> 'action' -> 'parameters' ->> 'flow_id' = f.operator_id
           and m.created_at >= $4 and m.direction = 'outbound' and m.status not in ('failed', 'skipped')
         limit ${MAX_COUNTED}) counted) sends
     cross join lateral (
       select count(distinct form_message_id)::int4 as count from (
         select a.form_message_id from flow_answers a
         where a.workspace_id = $1 and a.flow_id = f.id and a.created_at >= $4 and a.form_sent_at >= $4
         limit ${MAX_COUNTED}) counted) answers`,
    [ctx.workspace.id, uuids(forms.map(({ id }) => id)), forms.map(({ operatorId }) => operatorId), since],
  )
