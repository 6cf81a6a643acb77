/** Plays a voice message: a button, a bar to seek, the time, and the speed. */
import { Pause, Play } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../kit/button.tsx'
import { formatLocale } from '../../../texts.ts'
import { t } from './texts.ts'

const SPEEDS = [1, 1.5, 2] as const
/** The speed that was chosen last applies to the next voice message too. */
let speed: (typeof SPEEDS)[number] = 1
/** The player that plays: another one stops it. */
let playing: HTMLAudioElement | undefined

/** Formats a length such as 1:05. */
export function formatLength(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const formatSpeed = (value: number): string => new Intl.NumberFormat(formatLocale).format(value)

function usePlayer(audio: RefObject<HTMLAudioElement | null>) {
  const [isPlaying, setPlaying] = useState(false)
  const [time, setTime] = useState(0)
  const [length, setLength] = useState<number>()
  useEffect(() => {
    const element = audio.current!
    const onTime = () => setTime(element.currentTime)
    const onLength = () => setLength(Number.isFinite(element.duration) ? element.duration : undefined)
    const onPlay = () => {
      if (playing !== element) playing?.pause()
      playing = element
      element.playbackRate = speed
      setPlaying(true)
    }
    const onPause = () => setPlaying(false)
    const events = [
      ['timeupdate', onTime],
      ['seeked', onTime],
      ['durationchange', onLength],
      ['play', onPlay],
      ['pause', onPause],
      ['ended', onPause],
    ] as const
    for (const [name, listener] of events) element.addEventListener(name, listener)
    return () => {
      element.pause()
      for (const [name, listener] of events) element.removeEventListener(name, listener)
    }
  }, [audio])
  return { isPlaying, time, length }
}

type Props = { src: string; label: string; onError?: () => void }

export function VoicePlayer({ src, label, onError }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  const { isPlaying, time, length } = usePlayer(audio)
  const [rate, setRate] = useState(speed)
  // The length is read when someone reaches for the player; until then nothing is loaded.
  const [isNear, setNear] = useState(false)
  const toggle = () => {
    if (isPlaying) audio.current?.pause()
    else void audio.current?.play().catch(() => {})
  }
  const seek = (seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds
  }
  const changeSpeed = () => {
    speed = SPEEDS[(SPEEDS.indexOf(rate) + 1) % SPEEDS.length]!
    if (audio.current) audio.current.playbackRate = speed
    setRate(speed)
  }
  return (
    <fieldset
      aria-label={label}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      className="flex w-72 max-w-full min-w-0 items-center gap-1.5"
    >
      {/* biome-ignore lint/a11y/useMediaCaption: a voice message has none */}
      <audio ref={audio} src={src} preload={isNear ? 'metadata' : 'none'} onError={onError} />
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={t(isPlaying ? 'voice.pause' : 'voice.play')}
        onClick={toggle}
      />
      <input
        type="range"
        aria-label={t('voice.seek')}
        aria-valuetext={t('voice.position', { time: formatLength(time), length: formatLength(length ?? 0) })}
        min={0}
        max={length ?? 0}
        step="any"
        value={time}
        disabled={length === undefined}
        onKeyDown={(event) => {
          // A step of a range without steps is too small to hear.
          const by = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5 }[event.key]
          if (by === undefined || length === undefined) return
          event.preventDefault()
          const isReversed = document.dir === 'rtl' && event.key.endsWith('t')
          seek(Math.min(length, Math.max(0, time + (isReversed ? -by : by))))
        }}
        onChange={(event) => seek(Number(event.currentTarget.value))}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
      <span className="min-w-9 text-end text-xs text-ink-2 tabular-nums">
        {length === undefined ? '' : formatLength(time > 0 ? time : length)}
      </span>
      <button
        type="button"
        aria-label={t('voice.speed', { speed: formatSpeed(rate) })}
        onClick={changeSpeed}
        className="min-h-7 min-w-11 rounded-full bg-ink-1/8 px-2 text-xs font-medium tabular-nums hover:bg-ink-1/15 pointer-coarse:min-h-11"
      >
        {t('voice.times', { speed: formatSpeed(rate) })}
      </button>
    </fieldset>
  )
}
