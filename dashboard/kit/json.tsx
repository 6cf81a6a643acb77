import { Code } from './code.tsx'

/** A value as JSON, to read and to copy. */
export const Json = ({ value, label }: { value: unknown; label: string }) => (
  <Code text={JSON.stringify(value, null, 2)} label={label} />
)
