/** SQL for the answers of customers to forms. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { READS_FIRST } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { MAX_SUMMARIZED } from '../schema.ts'

export type NewAnswer = {
  workspaceId: string
  id: string
  /** Channel id of the message with the form. */
  chanmid: string
  /** The operator's id of the form in a button of a template; null if the message itself names its form. */
  formId: string | null
  fields: Record<string, unknown>
  createdAt: Date
}

/** Stores answers to known forms; answers to other messages are left out. */
export const insertAnswers = (tx: Tx, answers: NewAnswer[]): Promise<unknown> =>
  tx.sql(
    `insert into flow_answers (workspace_id, id, flow_id, fields, form_message_id, form_sent_at, created_at)
     select a.workspace_id, a.id, f.id, a.fields, m.id, m.created_at, a.created_at
     from jsonb_to_recordset($1::jsonb) as a (workspace_id uuid, id uuid, chanmid text, form_id text, fields json, created_at timestamptz)
     join messages m on m.workspace_id = a.workspace_id and m.chanmid = a.chanmid and m.type in ('interactive', 'template')
     join flows f on f.workspace_id = a.workspace_id
       and f.operator_id = coalesce(a.form_id, m.content -> 'action' -> 'parameters' ->> 'flow_id')
     where ${READS_FIRST}
     on conflict (workspace_id, id) do nothing`,
    [
      JSON.stringify(
        answers.map(({ workspaceId, formId, createdAt, ...answer }) => ({
          ...answer,
          workspace_id: workspaceId,
          form_id: formId,
          created_at: createdAt,
        })),
      ),
    ],
  )

/** A message of a template; `id` is the one of the answer to it. */
type TemplateSource = Pick<Selectable<Tables['messages']>, 'workspaceId' | 'id' | 'phoneNumberId'> & {
  name: string
  language: string
}

/** Returns the templates that these answers reply to. */
export const listTemplateSources = (
  tx: Tx,
  answers: Pick<NewAnswer, 'workspaceId' | 'id' | 'chanmid'>[],
): Promise<TemplateSource[]> =>
  tx.sql<TemplateSource>(
    `select m.workspace_id, a.id, m.phone_number_id, m.content ->> 'name' as name,
       m.content -> 'language' ->> 'code' as language
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as a (workspace_id, id, chanmid)
     join messages m on m.workspace_id = a.workspace_id and m.chanmid = a.chanmid and m.type = 'template'`,
    [
      uuids(answers.map(({ workspaceId }) => workspaceId)),
      uuids(answers.map(({ id }) => id)),
      answers.map(({ chanmid }) => chanmid),
    ],
  )

export type AnswerRow = Pick<Selectable<Tables['flowAnswers']>, 'id' | 'fields' | 'createdAt'> &
  Pick<Selectable<Tables['messages']>, 'contactId' | 'conversationId'>

/** Returns the answers to a form, newest first, with one more than the limit. */
export const listAnswerRows = (ctx: Context, flowId: string, page: CursorQuery): Promise<AnswerRow[]> =>
  ctx.tx.sql<AnswerRow>(
    `select a.id, m.contact_id as "contactId", m.conversation_id as "conversationId", a.fields, a.created_at as "createdAt"
     from (select workspace_id, id, fields, created_at from flow_answers
       where workspace_id = $1 and flow_id = $2 and ($3::uuid is null or id < $3) order by id desc limit $4) a
     join messages m on m.workspace_id = a.workspace_id and m.id = a.id
     order by a.id desc`,
    [ctx.workspace.id, flowId, page.cursor ?? null, page.limit + 1],
  )

/** The period of answers; an end that is missing is open. */
export type Period = { from?: Date | undefined; to?: Date | undefined }

/** The condition for the answers of a period, with the values of `boundsOf`. */
const IN_PERIOD = `workspace_id = $1 and flow_id = $2
  and created_at >= coalesce($3::timestamptz, '-infinity') and created_at < coalesce($4::timestamptz, 'infinity')`
/** The newest answers of a period: a stretch of one index, whatever the number of answers. */
const NEWEST = `select workspace_id, id, fields, created_at from flow_answers
  where ${IN_PERIOD}
  order by created_at desc, id desc limit ${MAX_SUMMARIZED}`
const boundsOf = (ctx: Context, flowId: string, { from, to }: Period) => [
  ctx.workspace.id,
  flowId,
  from ?? null,
  to ?? null,
]

/** A page of the answers of a period, and of those with a value in a field. */
export type ChosenAnswers = CursorQuery & Period & { field?: string | undefined; value?: string | undefined }

/**
 * Returns those of the newest answers of a period that have a value in a field, newest first, with one more than the limit.
 * Without `field` it returns the answers of the period.
 */
export const listChosenAnswerRows = (
  ctx: Context,
  flowId: string,
  { from, to, field, value, cursor, limit }: ChosenAnswers,
): Promise<AnswerRow[]> =>
  ctx.tx.sql<AnswerRow>(
    `select a.id, m.contact_id as "contactId", m.conversation_id as "conversationId", a.fields, a.created_at as "createdAt"
     from (select * from (${NEWEST}) newest
       where ($5::uuid is null or id < $5)
         and ($6::text is null or case json_typeof(fields -> $6)
           when 'array' then (fields -> $6)::jsonb @> $8::jsonb else fields ->> $6 = $7 end)
       order by id desc limit $9) a
     join messages m on m.workspace_id = a.workspace_id and m.id = a.id
     order by a.id desc`,
    [
      ...boundsOf(ctx, flowId, { from, to }),
      cursor ?? null,
      field ?? null,
      value ?? null,
      JSON.stringify(value ?? null),
      limit + 1,
    ],
  )

/** Counts the answers of a period, up to one more than are summarized. */
export const countAnswers = async (ctx: Context, flowId: string, period: Period): Promise<number> =>
  (
    await ctx.tx.sql<{ count: number }>(
      `select count(*)::int as count from (select 1 from flow_answers where ${IN_PERIOD}
         limit ${MAX_SUMMARIZED + 1}) newest`,
      boundsOf(ctx, flowId, period),
    )
  )[0]!.count

/** Names of fields by the way in which their values are summarized; fields outside the design are in none. */
export type FieldNames = { choices: string[]; numbers: string[]; dates: string[]; texts: string[] }

/** The answer that a text is from. */
type TextSource = Pick<Selectable<Tables['flowAnswers']>, 'id' | 'createdAt'>

/** A part of the summary of one field. */
export type SummaryRow = {
  name: string
  part: 'answered' | 'option' | 'range' | 'text'
  value: string | null
  count: number | null
  smallest: string | null
  median: string | null
  largest: string | null
} & { [Name in keyof TextSource]: TextSource[Name] | null }

const [MAX_FIELDS, MAX_OPTIONS, NEWEST_TEXTS] = [200, 50, 5]
const NUMBER = String.raw`^-?\d{1,15}(\.\d{1,9})?$`
const DATE = String.raw`^\d{4}-\d{2}-\d{2}`

/**
 * Summarizes the newest answers of a period in one pass: for each field the number of answers, the counts of its values, the
 * smallest, middle, and largest number or date, and the newest texts.
 */
export const summarizeAnswers = (
  ctx: Context,
  flowId: string,
  period: Period,
  { choices, numbers, dates, texts }: FieldNames,
): Promise<SummaryRow[]> =>
  ctx.tx.sql<SummaryRow>(
    `with parts as materialized (
       select a.id, a.created_at, f.key as name, v.value #>> '{}' as value
       from (${NEWEST}) a
       cross join lateral json_each(a.fields) f
       cross join lateral json_array_elements(
         case json_typeof(f.value) when 'array' then f.value else json_build_array(f.value) end) v
       where v.value #>> '{}' <> ''),
     fields as (
       select name, count(distinct id)::int as answered, name = any($9) as is_known
       from parts group by name order by is_known desc, answered desc, name limit ${MAX_FIELDS}),
     options as (
       select name, value, count(*)::int as count from parts join fields using (name)
       where name = any($5) or not is_known group by name, value),
     ranked as (select *, row_number() over (partition by name order by count desc, value) as place from options),
     numbers as (
       select name, min(number) as smallest, percentile_disc(0.5) within group (order by number) as median, max(number) as largest
       from (select name, case when value ~ '${NUMBER}' then value::numeric end as number from parts where name = any($6)) n
       where number is not null group by name),
     dates as (
       select name, min(day) as smallest, percentile_disc(0.5) within group (order by day) as median, max(day) as largest
       from (select name, left(value, 10) collate "C" as day from parts where name = any($7) and value ~ '${DATE}') d
       group by name),
     newest as (
       select name, value, id, created_at, row_number() over (partition by name order by created_at desc, id desc) as place
       from parts join fields using (name) where name = any($8) or not is_known)
     select name, 'answered' as part, null as value, answered as count, null as smallest, null as median, null as largest,
       null::uuid as id, null::timestamptz as "createdAt" from fields
     union all
     select name, 'option', value, count, null, null, null, null, null from ranked where place <= ${MAX_OPTIONS}
     union all
     select name, 'range', null, null, smallest::text, median::text, largest::text, null, null from numbers
     union all
     select name, 'range', null, null, smallest, median, largest, null, null from dates
     union all
     select name, 'text', value, null, null, null, null, id, created_at from newest where place <= ${NEWEST_TEXTS}`,
    [
      ...boundsOf(ctx, flowId, period),
      choices,
      numbers,
      dates,
      texts,
      [...choices, ...numbers, ...dates, ...texts],
    ],
  )
