/** Shows a key figure, in a `dl`. */
export const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="min-w-32 flex-1 rounded-lg border px-4 py-3">
    <dt className="text-sm text-ink-2">{name}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
  </div>
)
