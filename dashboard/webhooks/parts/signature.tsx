/**
 * Shows how an attempt was signed, computed again by the service: the signed content, the secret, and how a
 * receiver checks it.
 */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp } from 'lucide-react'
import { Callout } from '../../kit/callout.tsx'
import { Code } from '../../kit/code.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { formatFull } from '../../kit/time.tsx'
import { type SignatureCheck, signatureQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { verifyCode } from './verify-code.ts'

/** Shows the values of a header, each with its secret. */
function Values({
  check,
  header,
}: {
  check: SignatureCheck
  header: 'x-webhook-signature' | 'webhook-signature'
}) {
  const values = check.signatures.filter((signature) => signature.header === header)
  return (
    <div>
      <h4 className="mb-1 font-mono text-sm text-ink-2">{header}</h4>
      <ul aria-label={header} className="flex flex-col gap-2">
        {values.map(({ value, secret }) => (
          <li key={value}>
            <p className="font-mono text-sm break-all">{value}</p>
            <p className={`mt-0.5 flex items-center gap-1.5 text-sm ${secret ? 'text-good' : 'text-warn'}`}>
              {secret ? <CircleCheck aria-hidden size={14} /> : <CircleHelp aria-hidden size={14} />}
              {t(`signature.${secret ?? 'unknown'}`)}
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Verdict({ check }: { check: SignatureCheck }) {
  if (check.signedContent === null) return <Callout>{t('signature.gone')}</Callout>
  if (check.signatures.some(({ secret }) => secret === null))
    return <Callout kind="warn">{t('signature.differs')}</Callout>
  const isRotated = check.signatures.some(({ secret }) => secret === 'previous')
  return <Callout kind="good">{t(isRotated ? 'signature.good.rotated' : 'signature.good')}</Callout>
}

const Steps = ({ check }: { check: SignatureCheck }) => (
  <details>
    <summary className="text-ink-2 hover:text-ink-1">{t('signature.verify')}</summary>
    <ol className="my-2 flex list-decimal flex-col gap-1 ps-5 text-sm text-ink-2">
      <li>{t('signature.step.raw')}</li>
      <li>{t('signature.step.hmac')}</li>
      <li>{t('signature.step.any')}</li>
      <li>{t('signature.step.age', { minutes: check.toleranceSeconds / 60 })}</li>
      <li>{t('signature.step.standard')}</li>
    </ol>
    <Code text={verifyCode(check.toleranceSeconds)} label={t('signature.code')} />
  </details>
)

export function Signature({ deliveryId }: { deliveryId: string }) {
  const { data: check, error, isLoadingError, refetch } = useQuery(signatureQuery(deliveryId))
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!check) return <SkeletonRows />
  if (check.timestamp === null) return <p className="text-ink-2">{t('signature.none')}</p>
  return (
    <>
      <Verdict check={check} />
      <p className="text-sm text-ink-2">
        {t('signature.at', { at: formatFull(new Date(check.timestamp * 1_000).toISOString()) })}
      </p>
      {check.signedContent !== null && <Code text={check.signedContent} label={t('signature.content')} />}
      <Values check={check} header="x-webhook-signature" />
      <Values check={check} header="webhook-signature" />
      <Steps check={check} />
    </>
  )
}
