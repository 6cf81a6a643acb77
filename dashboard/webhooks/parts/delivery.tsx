/** Shows one attempt: its request, its response, and a button to send it again. */
import { useMutation } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { call } from '../../api/request.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Code } from '../../kit/code.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Json } from '../../kit/json.tsx'
import { formatFull, useNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { type Delivery, refreshDeliveries } from '../queries.ts'
import { t } from '../texts.ts'
import { curlOf, curlOfApi } from './curl.ts'
import { DeliveryWhy } from './delivery-why.tsx'
import { remainingUntil } from './remaining.ts'
import { Signature } from './signature.tsx'

const TONES: Record<Delivery['status'], Tone> = { pending: 'warn', succeeded: 'good', failed: 'bad' }

/** Shows the state as a word, with the status of the response if there was one. */
export const DeliveryBadge = ({ delivery }: { delivery: Delivery }) => (
  <Badge tone={TONES[delivery.status]}>
    {t(`delivery.${delivery.status}`)}
    {delivery.httpStatus !== null && ` · ${delivery.httpStatus}`}
  </Badge>
)

/** Returns the number of the attempt, and why it was made. */
export function attemptOf({ attempt, manual, replayed }: Delivery): string {
  if (manual) return t('attempt.manual')
  return t(replayed ? 'attempt.replayed' : 'attempt.number', { number: attempt })
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-2 font-semibold">{title}</h3>
    <div className="flex flex-col gap-2">{children}</div>
  </section>
)

const Headers = ({ headers }: { headers: Record<string, string> }) => (
  <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1 font-mono text-sm">
    {Object.entries(headers).map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-ink-3">{name}</dt>
        <dd className="min-w-0 break-all">{value}</dd>
      </div>
    ))}
  </dl>
)

/**
 * Returns a similar request, without the signature that only the service can compute; its time is the
 * attempt's time.
 */
function requestAsCurl({ request, data, eventId, event, createdAt }: Delivery): string | undefined {
  if (!request || !data) return undefined
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !/signature|timestamp/.test(name)),
  )
  return curlOf({
    method: 'POST',
    url: request.url,
    headers,
    body: { id: eventId, event, createdAt, data },
  })
}

function Facts({ delivery }: { delivery: Delivery }) {
  const now = useNow(1_000)
  const { attemptedAt, latencyMs, nextAttemptAt, status } = delivery
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <DeliveryBadge delivery={delivery} />
      <span>{attemptOf(delivery)}</span>
      {attemptedAt && <span>{formatFull(attemptedAt)}</span>}
      {latencyMs !== null && <span className="tabular-nums">{t('delivery.latency', { ms: latencyMs })}</span>}
      {nextAttemptAt && status !== 'succeeded' && (
        <span>{t('delivery.next', { left: remainingUntil(nextAttemptAt, now) })}</span>
      )}
    </p>
  )
}

type Props = { delivery: Delivery; webhookId: string; onClose: () => void }

export function DeliveryDialog({ delivery, webhookId, onClose }: Props) {
  const { id, event, eventId, request, response, data, error } = delivery
  const redeliver = useMutation({
    mutationFn: () => call('POST /webhooks/deliveries/{id}/redeliver', { params: { id } }),
    onSuccess: () => {
      refreshDeliveries()
      notify({ title: t('redelivered'), kind: 'good' })
      onClose()
    },
    onError: notifyError,
  })
  const asCurl = requestAsCurl(delivery)
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={<span className="font-mono">{event}</span>}
      description={<span className="font-mono text-xs">{eventId}</span>}
      actions={
        <Button
          variant="primary"
          icon={RotateCw}
          busy={redeliver.isPending}
          onClick={() => redeliver.mutate()}
        >
          {t('redeliver')}
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <Facts delivery={delivery} />
            <DeliveryWhy delivery={delivery} webhookId={webhookId} />
          </div>
          {error && <Callout kind="bad">{error}</Callout>}
        </div>
        <Part title={t('delivery.request')}>
          {request ? (
            <>
              <p className="font-mono text-sm break-all">POST {request.url}</p>
              <Headers headers={request.headers} />
            </>
          ) : (
            <p className="text-ink-2">{t('delivery.request.none')}</p>
          )}
          {data ? (
            <Json value={data} label={t('delivery.data')} />
          ) : (
            <p className="text-ink-2">{t('delivery.data.none')}</p>
          )}
        </Part>
        {request && (
          <Part title={t('signature')}>
            <Signature deliveryId={id} />
          </Part>
        )}
        <Part title={t('delivery.response')}>
          {response ? (
            <>
              <p className="font-mono text-sm">HTTP {response.status}</p>
              <Headers headers={response.headers} />
              {response.body && <Code text={response.body} label={t('delivery.body')} />}
            </>
          ) : (
            <p className="text-ink-2">{t('delivery.response.none')}</p>
          )}
        </Part>
        <Part title={t('curl')}>
          {asCurl && (
            <>
              <p className="text-sm text-ink-2">{t('curl.request')}</p>
              <Code text={asCurl} label={t('curl.request')} />
            </>
          )}
          <p className="text-sm text-ink-2">{t('curl.redeliver')}</p>
          <Code
            text={curlOfApi('POST', `/webhooks/deliveries/${id}/redeliver`)}
            label={t('curl.redeliver')}
          />
        </Part>
      </div>
    </Dialog>
  )
}
