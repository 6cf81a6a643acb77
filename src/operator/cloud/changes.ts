import { idOrNull, isObject, objectsIn, storableJson, textOrNull } from '../storable.ts'

/** One change of a webhook body: what `readWebhookValue` takes, and whom it concerns ('' for an account). */
export type WebhookChange = { operatorId: string; field: string; value: unknown }

/** Every change of every entry, fit to be stored. Any JSON value is accepted; nothing throws. */
export const webhookChanges = (body: unknown): WebhookChange[] =>
  objectsIn(isObject(body) ? body.entry : undefined).flatMap((entry) =>
    objectsIn(entry.changes).map((change) => {
      const value = isObject(change.value) ? change.value : {}
      const metadata = isObject(value.metadata) ? value.metadata : {}
      return {
        operatorId: idOrNull(metadata.phone_number_id) ?? '',
        field: textOrNull(change.field) ?? 'unknown',
        value: storableJson(value),
      }
    }),
  )
