/** Shows why a message did not arrive, and how to fix it. */
import { ArrowDown, RotateCcw } from 'lucide-react'
import type { Message } from '../../../../sdk/api.ts'
import { causeOf } from '../../../api/failure-causes.ts'
import { Button } from '../../../kit/button.tsx'
import { t } from './texts.ts'

type Props = {
  message: Message
  /** The message that repeats this failed message. */
  resentAs: Message | undefined
  onShow: (id: string) => void
  onResend: ((message: Message) => void) | undefined
}

export function Failure({ message, resentAs, onShow, onResend }: Props) {
  const { error } = message
  if (!error) return null
  const cause = causeOf(error.category)
  return (
    <div role="status" className="mt-1 flex max-w-full flex-col items-end gap-1 text-end text-sm">
      <p className="text-bad">
        <span className="font-medium">{t('failed.title')}:</span> {t(`failed.${cause}`)}
      </p>
      <p className="text-ink-2">{t(`failed.${cause}.next`)}</p>
      <p className="text-xs text-ink-3">
        {t('failed.said', { code: String(error.code), title: error.title })}
      </p>
      {resentAs ? (
        <Button size="sm" variant="ghost" icon={ArrowDown} onClick={() => onShow(resentAs.id)}>
          {t('failed.resent')}
        </Button>
      ) : (
        onResend &&
        cause !== 'window' && (
          <Button size="sm" icon={RotateCcw} onClick={() => onResend(message)}>
            {t('failed.retry')}
          </Button>
        )
      )}
    </div>
  )
}
