import { idOrNull, textOrNull } from '../../core/values/storable.ts'
import type { Operator } from '../port.ts'
import { configurationStatus, readOrderPayments } from './fields/payments.ts'
import { type Line, pageOf } from './line.ts'

/** The operator's answers about payments in the chat (docs/formats.md section 13). */
export const paymentCalls = (line: Line): Pick<Operator, 'findPayments' | 'listPaymentConfigurations'> => ({
  async findPayments(number, { configuration, referenceId }) {
    const parts = [number.operatorId, 'payments', configuration, referenceId]
    const answered = await line.call(number, {
      method: 'GET',
      path: parts.map((part) => `/${encodeURIComponent(part)}`).join(''),
    })
    return answered.kind === 'done'
      ? { kind: 'done', value: readOrderPayments(answered.value, referenceId) }
      : answered
  },
  async listPaymentConfigurations(number) {
    const path = `/${encodeURIComponent(number.accountId)}/payment_configurations`
    const page = pageOf(await line.call(number, { method: 'GET', path }))
    if (page.kind !== 'done') return page
    const configurations = page.value.data.flatMap((row) => {
      const [name, status] = [idOrNull(row.configuration_name), textOrNull(row.status)]
      return name === null || status === null ? [] : [{ name, status: configurationStatus(status) }]
    })
    return { kind: 'done', value: configurations }
  },
})
