import { CopyButton } from './copy.tsx'

/** A value as JSON, to read and to copy. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <div className="relative">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        tabIndex={0}
        className="scroll-thin overflow-x-auto rounded-md border bg-surface-2 p-3 pe-12"
      >
        <pre className="font-mono text-sm whitespace-pre">{text}</pre>
      </section>
      <div className="absolute end-1.5 top-1.5">
        <CopyButton text={text} />
      </div>
    </div>
  )
}
