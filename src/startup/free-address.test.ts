import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { requireFreeAddress } from './free-address.ts'

test("an address that can't be listened on is reported with the name of its variable, and a free one stays free", async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  await expect(requireFreeAddress({ host: '127.0.0.1', port })).rejects.toMatchObject({
    faults: [
      `PORT: Port ${port} on 127.0.0.1 is already in use. Stop the process that uses it, or set PORT to a free port.`,
    ],
  })
  await expect(requireFreeAddress({ host: '192.0.2.1', port: 4000 })).rejects.toMatchObject({
    faults: ["HOST: 192.0.2.1 isn't an address of this machine. Set HOST to one, or to 0.0.0.0."],
  })
  await expect(requireFreeAddress({ host: 'nobody.invalid', port: 4000 })).rejects.toThrow('HOST: ')
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const at = { host: '127.0.0.1', port: (free.address() as AddressInfo).port }
  free.close()
  await once(free, 'close')
  await requireFreeAddress(at)
  await requireFreeAddress(at)
})

test('no connection is accepted during the check', async () => {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const at = { host: '127.0.0.1', port: (free.address() as AddressInfo).port }
  free.close()
  await once(free, 'close')
  let looking = true
  let letIn = 0
  const knocking = (async () => {
    while (looking) {
      const socket = connect(at)
      await once(socket, 'connect').then(
        () => letIn++,
        () => {},
      )
      socket.destroy()
    }
  })()
  for (let i = 0; i < 50; i++) await requireFreeAddress(at)
  looking = false
  await knocking
  expect(letIn).toBe(0)
})
