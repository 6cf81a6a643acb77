/** The command of the palette that switches the member's availability. Loaded with the palette. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleMinus } from 'lucide-react'
import { availabilityQuery, setAvailability } from '../api/availability.ts'
import { queryClient } from '../api/cache.ts'
import type { Found } from '../kit/finder.tsx'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from './notify-error.ts'
import { t } from './texts.ts'

/** Returns the command, for members who get chats; none until the current state is read. */
export function useAvailabilityCommand({ enabled }: { enabled: boolean }): Found[] {
  const { data: available } = useQuery({ ...availabilityQuery, enabled })
  const change = useMutation({
    mutationFn: setAvailability,
    onSuccess: (answer) => {
      void queryClient.invalidateQueries({ queryKey: ['team'] })
      notify({
        title: t(answer.available ? 'availability.on' : 'availability.off'),
        kind: 'good',
        action: { label: t('availability.undo'), run: () => change.mutate(!answer.available) },
      })
    },
    onError: notifyError,
  })
  if (available === undefined) return []
  return [
    {
      id: 'availability',
      title: t(available ? 'command.away' : 'command.available'),
      icon: available ? CircleMinus : CircleCheck,
      run: () => change.mutate(!available),
    },
  ]
}
