/**
 * A phone that plays the bot: sends all turns so far each time, and shows the bot's replies. Nothing is
 * stored.
 */
import { useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { BotTestResult } from '../../../sdk/api.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { PhoneBubble, PhoneLine, PhoneLog } from '../../sandbox/parts/phone-parts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { playBot, type Turn } from '../queries.ts'
import { t } from '../texts.ts'

/** A customer's turn, as shown and as sent. */
type PlayedTurn = { turn: Turn; shown: string }
type Tap = { id: string; title: string }

const Aside = ({ children }: { children: string }) => (
  <p className="self-center rounded-md bg-surface-1 px-2 py-0.5 text-center text-sm break-words text-ink-2">
    {children}
  </p>
)

type AnswerProps = {
  turn: BotTestResult['turns'][number]
  /** Its options can be tapped, because it is the last message. */
  isLast: boolean
  onTap: (tap: Tap) => void
}

const Answer = ({ turn, isLast, onTap }: AnswerProps) => (
  <>
    {!turn.understood && <Aside>{t('preview.misunderstood')}</Aside>}
    {turn.said.map(({ text, options }, index) => (
      <PhoneBubble
        // biome-ignore lint/suspicious/noArrayIndexKey: turns keep their place
        key={index}
        isFromCustomer={false}
        text={text}
        taps={isLast ? options.map((tap) => ({ title: tap.title, tap })) : []}
        onTap={onTap}
      />
    ))}
    {turn.did.map((effect) => (
      <Aside key={effect}>{t('preview.did', { did: effect })}</Aside>
    ))}
    {turn.asked && <Aside>{t('preview.asked')}</Aside>}
  </>
)

type Props = {
  bot: string
  /** A word that starts the bot. */
  first: string | undefined
  isChanged: boolean
  isSaving: boolean
  save: () => Promise<boolean>
}

export function Preview({ bot, first, isChanged, isSaving, save }: Props) {
  const [history, setHistory] = useState<PlayedTurn[]>([])
  const { mutate, data, reset, isPending } = useMutation({
    mutationFn: (entries: PlayedTurn[]) =>
      playBot(
        bot,
        entries.map(({ turn }) => turn),
      ),
    onError: (error) => {
      setHistory((before) => before.slice(0, -1))
      notifyError(error)
    },
  })
  const [result, setResult] = useState<BotTestResult>()
  if (data && data !== result) setResult(data)
  const play = (entry: PlayedTurn) => {
    const entries = [...history, entry]
    setHistory(entries)
    mutate(entries)
  }
  const restart = () => {
    setHistory([])
    setResult(undefined)
    reset()
  }
  const sendText = (text: string) => play({ turn: { text }, shown: text })
  const isOver = result !== undefined && result.state !== 'waiting' && history.length > 0
  const opening = first ?? t('preview.hello')
  const answers = Object.entries(result?.answers ?? {})
  return (
    <section aria-label={t('preview')} className="flex flex-col gap-2">
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-md font-semibold">{t('preview')}</h2>
          <p className="text-sm text-ink-2">{t('preview.text')}</p>
        </div>
        <IconButton
          icon={RotateCcw}
          label={t('preview.again')}
          disabled={history.length === 0}
          onClick={restart}
        />
      </header>
      {isChanged && (
        <Callout
          kind="warn"
          action={
            <Button
              size="sm"
              busy={isSaving}
              onClick={() => void save().then((isSaved) => isSaved && restart())}
            >
              {t('preview.save')}
            </Button>
          }
        >
          {t('preview.unsaved')}
        </Callout>
      )}
      <div className="flex h-[32rem] max-h-[70dvh] flex-col overflow-hidden rounded-lg border-2 border-edge bg-surface-1">
        <PhoneLog
          label={t('preview.log')}
          empty={history.length === 0 ? t('preview.empty') : undefined}
          newest={`${history.length} ${result?.turns.length}`}
        >
          {history.length === 0 && (
            <Button
              className="mb-4 max-w-full self-center"
              disabled={isChanged}
              onClick={() => sendText(opening)}
            >
              <span className="truncate">{t('preview.first', { text: opening })}</span>
            </Button>
          )}
          {history.map(({ shown }, index) => {
            const turn = result?.turns[index]
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: turns keep their place
              <div key={index} className="flex flex-col gap-2">
                <PhoneBubble isFromCustomer text={shown} />
                {turn ? (
                  <Answer
                    turn={turn}
                    isLast={index === history.length - 1 && !isOver && !isChanged}
                    onTap={({ id, title }) => play({ turn: { option: id }, shown: title })}
                  />
                ) : (
                  isPending && <Aside>{t('preview.thinking')}</Aside>
                )}
              </div>
            )
          })}
          {isOver && <Aside>{t(`preview.${result.state as 'ended' | 'handed_over'}`)}</Aside>}
        </PhoneLog>
        <PhoneLine
          label={t('preview.label')}
          placeholder={t('preview.label')}
          onSend={sendText}
          disabled={isChanged || isOver || isPending}
        />
      </div>
      {answers.length > 0 && (
        <dl aria-label={t('preview.answers')} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {answers.map(([name, value]) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-ink-3">{name}</dt>
              <dd dir="auto" className="font-medium">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
