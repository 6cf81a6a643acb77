/** Records a voice message in place of the text field: time, level, pause, listen, delete, and send. */
import { CircleDot, Pause, SendHorizontal, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { notifyError } from '../../../shell/notify-error.ts'
import { newestMessageId } from '../../held-answer.ts'
import { t as inboxText } from '../../texts.ts'
import { type Recorder, type RecorderState, startRecording } from './recorder.ts'
import { recordings } from './recordings.ts'
import { t } from './texts.ts'
import { formatLength, VoicePlayer } from './voice-player.tsx'

type Props = {
  conversationId: string
  /** Uploads and sends the recording. `since`: the newest message when the recording began. */
  onSend: (file: File, since: string | undefined) => Promise<void>
  onClose: () => void
}

/** Returns the chat's recording; a recording that was begun before continues paused. */
function useRecorder(conversationId: string): [Recorder, RecorderState] {
  const [recorder] = useState(
    () => recordings.get(conversationId) ?? startRecording(conversationId, newestMessageId(conversationId)),
  )
  const state = useSyncExternalStore(recorder.subscribe, recorder.state)
  useEffect(() => recorder.show(), [recorder])
  return [recorder, state]
}

/** Returns the address of the recording so far while it is paused. */
function useListening(recorder: Recorder, isPaused: boolean): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!isPaused) return
    let isOver = false
    let created: string | undefined
    recorder
      .file()
      .then((file) => {
        if (isOver) return
        created = URL.createObjectURL(file)
        setAddress(created)
      })
      .catch(notifyError)
    return () => {
      isOver = true
      setAddress(undefined)
      if (created) URL.revokeObjectURL(created)
    }
  }, [recorder, isPaused])
  return address
}

const BAR = 4
/** A shorter recording is empty or an accident. */
const SHORTEST_MS = 500

/** Draws the loudness of the last moments. */
const Level = ({ levels }: { levels: readonly number[] }) => (
  <svg
    aria-hidden="true"
    viewBox={`0 0 ${48 * BAR} 32`}
    preserveAspectRatio="xMaxYMid slice"
    className="h-8 min-w-0 flex-1 text-accent"
  >
    {levels.map((level, index) => {
      const height = 2 + level * 28
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: bars in their order
          key={index}
          x={(48 - levels.length + index) * BAR}
          y={16 - height / 2}
          width={BAR / 2}
          height={height}
          rx={1}
          fill="currentColor"
        />
      )
    })}
  </svg>
)

export function VoiceRecorder({ conversationId, onSend, onClose }: Props) {
  const [recorder, state] = useRecorder(conversationId)
  const { phase, fault, elapsedMs, levels } = state
  const [isSending, setSending] = useState(false)
  const address = useListening(recorder, phase === 'paused' && elapsedMs >= SHORTEST_MS)
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.querySelector('button')?.focus(), [])
  const close = () => {
    recorder.close()
    onClose()
  }
  const send = async () => {
    recorder.pause()
    setSending(true)
    try {
      await onSend(await recorder.file(), recorder.since)
      close()
    } catch (error) {
      // The recording stays, so that it can be sent again.
      notifyError(error)
      setSending(false)
    }
  }
  if (phase === 'failed')
    return (
      <div ref={first} className="p-3">
        <Callout kind="warn" role="alert" action={<Button onClick={close}>{t('voice.close')}</Button>}>
          {t(`voice.fault.${fault ?? 'failed'}`)}
        </Callout>
      </div>
    )
  const isRecording = phase === 'recording'
  return (
    <section ref={first} aria-label={t('voice.label')} className="flex flex-wrap items-center gap-1.5 p-3">
      <p role="status" className="sr-only">
        {t(`voice.${phase}`)}
      </p>
      <IconButton
        icon={Trash2}
        label={t('voice.delete')}
        disabled={isSending}
        onClick={close}
        className={address ? 'max-sm:me-auto' : undefined}
      />
      {address && !isSending ? (
        <span className="flex min-w-0 flex-1 justify-center max-sm:order-first max-sm:basis-full">
          <VoicePlayer src={address} label={t('voice.listen')} />
        </span>
      ) : (
        <>
          <span
            aria-hidden
            className={isRecording ? 'size-2.5 rounded-full bg-bad' : 'size-2.5 rounded-full bg-ink-3'}
          />
          <span role="timer" className="min-w-10 tabular-nums">
            {formatLength(elapsedMs / 1_000)}
          </span>
          <Level levels={levels} />
        </>
      )}
      <IconButton
        icon={isRecording ? Pause : CircleDot}
        label={t(isRecording ? 'voice.pauseRecording' : 'voice.resume')}
        disabled={phase === 'asking' || isSending}
        onClick={() => (isRecording ? recorder.pause() : recorder.resume())}
      />
      <Button
        variant="primary"
        icon={SendHorizontal}
        busy={isSending}
        disabled={elapsedMs < SHORTEST_MS}
        onClick={() => void send()}
      >
        <span className="max-sm:sr-only">{inboxText('composer.send')}</span>
      </Button>
    </section>
  )
}
