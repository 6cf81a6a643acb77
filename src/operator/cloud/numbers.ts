import { idOrNull, isObject, objectsIn, textOrNull } from '../../core/values/storable.ts'
import type { Operator, OperatorNumberState } from '../port.ts'
import type { Line } from './line.ts'

const fields = [
  'id',
  'display_phone_number',
  'verified_name',
  'quality_rating',
  'status',
  'throughput',
  'messaging_limit_tier',
  'whatsapp_business_manager_messaging_limit',
  'username',
  'health_status',
  'is_on_biz_app',
  'last_onboarded_time',
]

/** The state of a number at the operator (docs/formats.md section 7). */
export const numberCalls = (line: Line): Pick<Operator, 'findNumber' | 'requestPhoneAppData'> => ({
  async findNumber(number) {
    const answered = await line.call(number, {
      method: 'GET',
      path: `/${encodeURIComponent(number.operatorId)}?fields=${fields.join(',')}`,
    })
    if (answered.kind !== 'done') return answered
    return fields.some((field) => field in answered.value)
      ? { kind: 'done', value: stateOf(answered.value) }
      : { kind: 'unknown', reason: "the answer isn't about a number" }
  },
  async requestPhoneAppData(number, kind) {
    const answered = await line.call(number, {
      method: 'POST',
      path: `/${encodeURIComponent(number.operatorId)}/smb_app_data`,
      json: { messaging_product: 'whatsapp', sync_type: kind },
    })
    return answered.kind === 'done' ? { kind: 'done', value: undefined } : answered
  },
})

function stateOf(body: Record<string, unknown>): OperatorNumberState {
  const throughput = isObject(body.throughput) ? body.throughput : {}
  const health = isObject(body.health_status) ? body.health_status : {}
  return {
    operatorId: idOrNull(body.id) ?? '',
    displayNumber: textOrNull(body.display_phone_number),
    displayName: textOrNull(body.verified_name),
    quality: textOrNull(body.quality_rating),
    status: textOrNull(body.status),
    throughput: textOrNull(throughput.level),
    messagingLimit:
      textOrNull(body.whatsapp_business_manager_messaging_limit) ?? textOrNull(body.messaging_limit_tier),
    username: textOrNull(body.username),
    canSend: textOrNull(health.can_send_message),
    obstacles: objectsIn(health.entities)
      .filter((entity) => entity.can_send_message === 'BLOCKED')
      .flatMap((entity) => objectsIn(entity.errors))
      .map((error) => ({
        code: Number(error.error_code) || 0,
        message: textOrNull(error.error_description) ?? 'The operator gave no reason.',
      })),
    isInPhoneApp: typeof body.is_on_biz_app === 'boolean' ? body.is_on_biz_app : null,
    onboardedAt: timeOf(body.last_onboarded_time),
  }
}

/** Reads a time such as 2026-01-31T08:00:00+0000. */
function timeOf(value: unknown): Date | null {
  const time = new Date(textOrNull(value) ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time
}
