import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/request.ts'

const FRESH_MS = 300_000

/** Returns whether agents may ask the workspace's assistant. The live stream announces changes. */
export function useAssistant(workspace: string): boolean {
  const { data = [] } = useQuery({
    queryKey: ['integration', 'one', workspace],
    queryFn: async () => (await call('GET /integrations')).integrations,
    staleTime: FRESH_MS,
  })
  return data.some(({ name, status, settings }) => name === 'ai' && status !== 'off' && settings.forAgents)
}
