/** Records a voice message of one chat with the browser's recorder. */
import { registerChangedForm } from '../../../kit/unsent-forms.ts'
import { oggOf } from './ogg.ts'
import { recordings } from './recordings.ts'
import { t } from './texts.ts'
import { opusIn } from './webm-opus.ts'

const OGG = 'audio/ogg; codecs=opus'
/** The best first: the operator takes Opus in Ogg as a voice message, and MP4 as an audio file. */
const TYPES = [OGG, 'audio/webm; codecs=opus', 'audio/mp4']
/** Speech is clear at this rate. A longer recording also stays under 512 kB, above which phones show a file. */
const BITS_PER_SECOND = 24_000
/** The maximum length of a recording. */
const MAX_MS = 30 * 60_000
const LEVEL_EVERY_MS = 100
const LEVELS_SHOWN = 48

export type MicrophoneFault = 'insecure' | 'denied' | 'missing' | 'failed'
export type RecorderState = {
  phase: 'asking' | 'recording' | 'paused' | 'failed'
  fault?: MicrophoneFault
  elapsedMs: number
  /** The loudness of the last moments, 0 to 1. */
  levels: readonly number[]
}

export type Recorder = {
  /** The newest message when the recording began. */
  since: string | undefined
  state(): RecorderState
  subscribe(listener: () => void): () => void
  /** The recording is visible from now on. Returns a function that hides it, which pauses it. */
  show(): () => void
  pause(): void
  resume(): void
  /** Returns the recording so far; the recording must be paused. */
  file(): Promise<File>
  /** Ends the recording and returns the microphone. */
  close(): void
}

const FAULTS: Record<string, MicrophoneFault> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
}

async function openMicrophone(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  })
}

/** Mixes the microphone to one channel, which the operator requires, and measures it. */
function mixOf(stream: MediaStream) {
  const context = new AudioContext()
  const [source, analyser] = [context.createMediaStreamSource(stream), context.createAnalyser()]
  const mono = new MediaStreamAudioDestinationNode(context, {
    channelCount: 1,
    channelCountMode: 'explicit',
  })
  source.connect(analyser).connect(mono)
  const samples = new Float32Array(analyser.fftSize)
  return {
    stream: mono.stream,
    level: (): number => {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      return Math.min(1, Math.sqrt(power) * 4)
    },
    close: () => {
      for (const track of stream.getTracks()) track.stop()
      void context.close()
    },
  }
}

/** Returns the recorded bytes as a file of the operator's format. */
async function fileOf(recorded: Blob): Promise<File> {
  if (!recorded.type.startsWith('audio/webm'))
    return recorded.type.startsWith('audio/ogg')
      ? new File([recorded], 'voice-message.ogg', { type: OGG })
      : new File([recorded], 'voice-message.m4a', { type: 'audio/mp4' })
  const stream = opusIn(new Uint8Array(await recorded.arrayBuffer()))
  if (!stream) throw new Error(t('voice.unreadable'))
  const serial = crypto.getRandomValues(new Uint32Array(1))[0]!
  return new File([oggOf(stream, serial)], 'voice-message.ogg', { type: OGG })
}

type Capture = { recorder: MediaRecorder; mix: ReturnType<typeof mixOf>; chunks: Blob[] }

function captureOf(stream: MediaStream): Capture {
  const mix = mixOf(stream)
  const recorder = new MediaRecorder(mix.stream, {
    mimeType: TYPES.find((type) => MediaRecorder.isTypeSupported(type)),
    audioBitsPerSecond: BITS_PER_SECOND,
  })
  const chunks: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data))
  return { recorder, mix, chunks }
}

/** Waits for the bytes that the recorder still holds. */
function flush(recorder: MediaRecorder): Promise<unknown> {
  if (recorder.state === 'inactive') return Promise.resolve()
  const flushed = new Promise((resolve) =>
    recorder.addEventListener('dataavailable', resolve, { once: true }),
  )
  recorder.requestData()
  return flushed
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Starts to record for a chat. Asks for the microphone first. */
export function startRecording(conversationId: string, since: string | undefined): Recorder {
  let state: RecorderState = { phase: 'asking', elapsedMs: 0, levels: [] }
  let capture: Capture | undefined
  let isClosed = false
  let isShown = true
  let timer: ReturnType<typeof setInterval> | undefined
  let resumedAt = 0
  const listeners = new Set<() => void>()
  const set = (patch: Partial<RecorderState>) => {
    state = { ...state, ...patch }
    for (const listener of listeners) listener()
  }
  const tick = () => {
    const now = performance.now()
    const levels = [...state.levels, capture?.mix.level() ?? 0].slice(-LEVELS_SHOWN)
    set({ elapsedMs: state.elapsedMs + now - resumedAt, levels })
    resumedAt = now
    if (state.elapsedMs >= MAX_MS) pause()
  }
  const run = () => {
    resumedAt = performance.now()
    timer = setInterval(tick, LEVEL_EVERY_MS)
    set({ phase: 'recording' })
  }
  function pause(): void {
    if (state.phase !== 'recording') return
    tick()
    clearInterval(timer)
    capture?.recorder.pause()
    set({ phase: 'paused' })
  }
  const forget = registerChangedForm()
  addEventListener('beforeunload', warn)
  function close(): void {
    isClosed = true
    clearInterval(timer)
    forget()
    removeEventListener('beforeunload', warn)
    if (capture && capture.recorder.state !== 'inactive') capture.recorder.stop()
    capture?.mix.close()
    recordings.delete(conversationId)
  }
  const fail = (fault: MicrophoneFault) => set({ phase: 'failed', fault })
  const open = async () => {
    try {
      if (!globalThis.isSecureContext || !navigator.mediaDevices) return fail('insecure')
      const stream = await openMicrophone()
      capture = captureOf(stream)
      if (isClosed) return capture.mix.close()
      // Another program took the microphone, or it was unplugged.
      stream.getAudioTracks()[0]?.addEventListener('ended', pause)
      capture.recorder.start()
      run()
      // The chat was left while the browser asked.
      if (!isShown) pause()
    } catch (error) {
      fail(FAULTS[(error as Error).name] ?? 'failed')
    }
  }
  void open()
  const recorder: Recorder = {
    since,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show: () => {
      isShown = true
      return () => {
        isShown = false
        pause()
      }
    },
    pause,
    resume: () => {
      if (state.phase !== 'paused' || !capture || state.elapsedMs >= MAX_MS) return
      capture.recorder.resume()
      run()
    },
    file: async () => {
      if (!capture) throw new Error(t('voice.unreadable'))
      await flush(capture.recorder)
      return fileOf(new Blob(capture.chunks, { type: capture.recorder.mimeType }))
    },
    close,
  }
  recordings.set(conversationId, recorder)
  return recorder
}
