import { digitsAsText, idOrNull, isObject, textOrNull } from '../../core/values/storable.ts'
import type { NumberReports, Report } from '../report.ts'
import { webhookChanges } from './changes.ts'
import { readAccountUpdate } from './fields/account-updates.ts'
import { readAddressBook } from './fields/address-book.ts'
import { readCalls } from './fields/calls.ts'
import { readEchoes } from './fields/echoes.ts'
import { isGroupField, ofGroup } from './fields/groups.ts'
import { readHistory } from './fields/history.ts'
import { readMessages } from './fields/messages.ts'
import {
  readBusinessUsername,
  readCapability,
  readNumberName,
  readNumberQuality,
} from './fields/number-reports.ts'
import { readPaymentConfiguration } from './fields/payments.ts'
import { readPreferences } from './fields/preferences.ts'
import {
  readTemplateCategory,
  readTemplateComponents,
  readTemplateQuality,
  readTemplateStatus,
} from './fields/templates.ts'
import { readUserIds } from './fields/user-ids.ts'
import { type Json, unrecognized, type ValueSource } from './fields/webhook-value.ts'

/** The reader of each webhook field; other fields are not processed. */
const readers = new Map<unknown, (value: Json, source: ValueSource) => Report[]>([
  ['messages', readMessages],
  ['smb_message_echoes', readEchoes],
  ['smb_app_state_sync', readAddressBook],
  ['history', readHistory],
  ['calls', readCalls],
  ['user_preferences', readPreferences],
  ['user_id_update', readUserIds],
  ['message_template_status_update', readTemplateStatus],
  ['template_category_update', readTemplateCategory],
  ['message_template_quality_update', readTemplateQuality],
  ['message_template_components_update', readTemplateComponents],
  ['phone_number_quality_update', readNumberQuality],
  ['phone_number_name_update', readNumberName],
  ['business_username_updates', readBusinessUsername],
  ['business_capability_update', readCapability],
  ['account_update', readAccountUpdate],
  ['payment_configuration_update', readPaymentConfiguration],
])

/**
 * Returns the reports of one change: the webhook's `field` and its `value`. Accepts any JSON value and never
 * throws; unknown content becomes `unrecognized` (docs/formats.md sections 8 to 11).
 */
export function readWebhookValue(
  field: unknown,
  value: unknown,
  source: ValueSource = { accountId: '', at: new Date(0) },
): NumberReports {
  const content = isObject(value) ? value : {}
  const metadata = isObject(content.metadata) ? content.metadata : {}
  const reports = isGroupField(field) ? [ofGroup(field)] : (readers.get(field)?.(content, source) ?? [])
  return {
    operatorId: idOrNull(digitsAsText(metadata.phone_number_id)) ?? '',
    reports: reports.length > 0 ? reports : [unrecognized(textOrNull(field) ?? 'unknown')],
  }
}

/**
 * Translates a whole webhook body into reports, grouped by the operator's id of the number ('' for an
 * account). Reads all entries and changes. Accepts any JSON value and never throws.
 */
export function readWebhook(body: unknown): NumberReports[] {
  const byNumber = new Map<string, NumberReports>()
  for (const { field, value, accountId, at } of webhookChanges(body)) {
    const { operatorId, reports } = readWebhookValue(field, value, { accountId, at: at ?? new Date(0) })
    const existing = byNumber.get(operatorId)
    if (existing === undefined) byNumber.set(operatorId, { operatorId, reports })
    else for (const report of reports) existing.reports.push(report)
  }
  return [...byNumber.values()]
}
