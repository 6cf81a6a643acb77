/** The search of a list beside the choice of one filter. */
import { SearchField, type SearchFieldProps } from './search-field.tsx'
import { Select, type SelectProps } from './select.tsx'

type Props<Value extends string> = {
  search: SearchFieldProps
  filter: SelectProps<Value>
}

export const ListFilters = <Value extends string>({ search, filter }: Props<Value>) => (
  <div className="flex items-center gap-2">
    <SearchField {...search} className="min-w-0 flex-1" />
    <div className="w-32 shrink-0">
      <Select {...filter} />
    </div>
  </div>
)
