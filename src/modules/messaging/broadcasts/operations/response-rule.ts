/** The rule for responses to a campaign's messages, as SQL (src/modules/reporting/campaign-results/DECISIONS.md). */

/** The hours after a campaign's message in which replies, taps, and opt-outs count as its results. */
export const RESULT_HOURS = 72

/** The moment from which an event can follow a message: the operator reports whole seconds. */
const SINCE = "date_trunc('second', m.created_at)"

/**
 * Selects `has_replied`, `has_tapped`, and `opted_out` for each of the messages `m` that `from` and `where` select. `hours`:
 * the place of the parameter. Only chats and contacts that changed since the message are looked at more closely.
 */
export const selectResponses = ({
  columns = '',
  from,
  where,
  hours,
}: {
  columns?: string
  from: string
  where: string
  hours: string
}): string =>
  `select ${columns} coalesce(c.refused_by_customer and c.consent_at >= ${SINCE}
                         and c.consent_at <= m.sent_at + ${hours}::int4 * interval '1 hour', false) as opted_out,
                coalesce(r.has_replied, false) as has_replied, coalesce(r.has_tapped, false) as has_tapped
         from ${from}
         join conversations v on v.workspace_id = m.workspace_id and v.id = m.conversation_id
         join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
         left join lateral (
           select true as has_replied, bool_or(a.type = 'button' and a.reply_to = m.chanmid) as has_tapped
           from messages a
           where a.workspace_id = m.workspace_id and a.conversation_id = m.conversation_id and a.id > m.id
             and a.direction = 'inbound' and a.imported_from is null and a.type <> 'reaction'
             and coalesce(a.sent_at, a.created_at) >= ${SINCE}
             and a.created_at <= m.sent_at + ${hours}::int4 * interval '1 hour'
           having count(*) > 0
         ) r on true
         where ${where} and (v.last_inbound_at >= ${SINCE} or c.consent_at >= ${SINCE})`

/** Counts the selected responses. A customer who opted out did not reply. */
export const COUNT_RESPONSES = `count(*) filter (where has_replied and not opted_out) as replied,
              count(*) filter (where has_tapped) as tapped,
              count(*) filter (where opted_out) as opted_out`
