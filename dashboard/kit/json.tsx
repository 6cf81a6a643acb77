import { Code } from './code.tsx'

/** Shows a value as JSON, to read and copy. */
export const Json = ({ value, label }: { value: unknown; label: string }) => (
  <Code text={JSON.stringify(value, null, 2)} label={label} />
)
