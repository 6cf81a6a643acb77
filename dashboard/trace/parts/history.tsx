/** A panel with the history of a message, a run, or a delivery. */

import { classes } from '../../kit/classes.ts'
import { CopyButton } from '../../kit/copy.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { formatFull } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { type Line, type Tone, textOf, type Waiting } from './lines.ts'

const DOTS: Record<Tone, string> = {
  plain: 'bg-ink-3',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
}

const Details = ({ details }: { details: readonly string[] }) =>
  details.map((detail) => (
    <span key={detail} className="block text-sm break-words text-ink-2">
      {detail}
    </span>
  ))

type HistoryProps = { lines: readonly Line[]; waiting?: Waiting | undefined }

/** Shows the lines in order, with a button that copies them. */
export function History({ lines, waiting }: HistoryProps) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex justify-end">
        <CopyButton text={textOf(lines, waiting)} label={t('copy')} />
      </div>
      <ol aria-label={t('steps')} className="flex flex-col gap-4">
        {lines.map(({ at, text, details, tone }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids, and keep their places
          <li key={place} className="flex items-start gap-3">
            <span aria-hidden className={classes('mt-1.5 size-2 shrink-0 rounded-full', DOTS[tone])} />
            <span className="min-w-0 flex-1">
              {at && (
                <time dateTime={at} className="block text-xs text-ink-3">
                  {formatFull(at)}
                </time>
              )}
              <span className="block break-words">{text}</span>
              <Details details={details} />
            </span>
          </li>
        ))}
      </ol>
      {waiting && (
        <p className="rounded-md bg-note-soft px-3 py-2">
          <span className="font-medium">{t('now')}:</span> {waiting.text}
          <Details details={waiting.details} />
        </p>
      )}
    </div>
  )
}

type PanelProps = HistoryProps & { title: string; open: boolean; onClose: () => void }

export const HistoryPanel = ({ title, open, onClose, ...history }: PanelProps) => (
  <Drawer open={open} onClose={onClose} title={title}>
    <div className="p-4">
      <History {...history} />
    </div>
  </Drawer>
)
