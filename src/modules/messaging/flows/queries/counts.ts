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

/** Messages with a form in a button of a template, in the words of the index `messages_template_forms`. */
export const HAS_FORM_BUTTON = `m.type = 'template' and m.content::text ~ '"sub_type": ?"(flow|FLOW)"'`

/** A template with a form in a button, and a number that sends it. */
export type FormTemplateSends = { phoneNumberId: string; name: string; language: string }

/**
 * Counts the messages of templates with a form in a button since a time, in the order of the list: at most `MAX_COUNTED` rows of
 * an index for each template and number.
 */
export const countTemplateForms = async (
  ctx: Context,
  templates: FormTemplateSends[],
  since: Date,
): Promise<number[]> =>
  (
    await ctx.tx.sql<{ count: number }>(
      `select sends.count
       from unnest($2::uuid[], $3::text[], $4::text[]) with ordinality as t (phone_number_id, name, language, place)
       cross join lateral (
         select count(*)::int4 as count from (
           select 1 from messages m
           where m.workspace_id = $1 and ${HAS_FORM_BUTTON} and m.phone_number_id = t.phone_number_id
             and m.content ->> 'name' = t.name and m.content -> 'language' ->> 'code' = t.language
             and m.created_at >= $5 and m.direction = 'outbound' and m.status not in ('failed', 'skipped')
           limit ${MAX_COUNTED}) counted) sends
       order by t.place`,
      [
        ctx.workspace.id,
        uuids(templates.map(({ phoneNumberId }) => phoneNumberId)),
        templates.map(({ name }) => name),
        templates.map(({ language }) => language),
        since,
      ],
    )
  ).map(({ count }) => count)
