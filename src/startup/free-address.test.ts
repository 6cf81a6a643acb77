import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { requireFreeAddress } from './free-address.ts'

test("an address that can't be listened on is reported with the name of its variable, and a free one stays free", async () => {
  const occupiedServer = createServer().listen(0, '127.0.0.1')
  await once(occupiedServer, 'listening')
  onTestFinished(() => void occupiedServer.close())
  const { port } = occupiedServer.address() as AddressInfo
  await expect(requireFreeAddress({ host: '127.0.0.1', port })).rejects.toMatchObject({
    faults: [
      `PORT: Port ${port} on 127.0.0.1 is already in use. Stop the process that uses it, or set PORT to a free port.`,
    ],
  })
  await expect(requireFreeAddress({ host: '192.0.2.1', port: 4000 })).rejects.toMatchObject({
    faults: ["HOST: 192.0.2.1 isn't an address of this machine. Set HOST to one, or to 0.0.0.0."],
  })
  await expect(requireFreeAddress({ host: 'nobody.invalid', port: 4000 })).rejects.toThrow('HOST: ')
  const freeServer = createServer().listen(0, '127.0.0.1')
  await once(freeServer, 'listening')
  const address = { host: '127.0.0.1', port: (freeServer.address() as AddressInfo).port }
  freeServer.close()
  await once(freeServer, 'close')
  await requireFreeAddress(address)
  await requireFreeAddress(address)
})

test('no connection is accepted during the check', async () => {
  const freeServer = createServer().listen(0, '127.0.0.1')
  await once(freeServer, 'listening')
  const address = { host: '127.0.0.1', port: (freeServer.address() as AddressInfo).port }
  freeServer.close()
  await once(freeServer, 'close')
  let isRunning = true
  let accepted = 0
  const connecting = (async () => {
    while (isRunning) {
      const socket = connect(address)
      await once(socket, 'connect').then(
        () => accepted++,
        () => {},
      )
      socket.destroy()
    }
  })()
  for (let i = 0; i < 50; i++) await requireFreeAddress(address)
  isRunning = false
  await connecting
  expect(accepted).toBe(0)
})
