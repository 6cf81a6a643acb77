/** Pictures of posts on the dashboard (src/modules/selling/social/DECISIONS.md "Pictures of posts on pages"). */
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../test/support/boot.ts'
import { jpegOf, makeFileHost, mp4Of } from '../../../../../test/support/post-files.ts'
import { photoId } from '../../../../../test/support/post-media.ts'
import { signIn } from '../../../../../test/support/sessions.ts'
import { atNetwork, openSocialShop, type SocialShop } from '../../../../../test/support/social-shop.ts'
import { until } from '../../../../../test/support/until.ts'
import { newNetworkId } from '../../../../social-network/simulator/store.ts'

let parley: TestParley
let shop: SocialShop
let files: Awaited<ReturnType<typeof makeFileHost>>
let cookie: string

beforeAll(async () => {
  files = await makeFileHost()
  parley = await boot({ env: files.env })
  shop = await openSocialShop(parley)
  ;({ cookie } = await signIn(parley, shop, 'viewer'))
})
afterAll(async () => {
  await parley?.close()
  await files?.close()
})

async function read(
  id: string,
  workspaceId = shop.workspaceId,
  headers: Record<string, string> = { cookie },
) {
  const answer = await request(`${parley.url}/api/dashboard/files/${id}?workspace=${workspaceId}`, {
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}

/** Adds a post at the network that was created outside Parley. */
async function addForeignPost(url: string, more: object = {}): Promise<string> {
  const id = newNetworkId()
  const value = {
    caption: 'From elsewhere',
    media_type: 'IMAGE',
    media_url: url,
    thumbnail_url: null,
    ...more,
  }
  await atNetwork(parley, shop, (store, account) =>
    store.keep(account, { kind: 'media', id, value, expiresAt: null }),
  )
  return id
}

test('the file of a draft is shown to members of its workspace only', async () => {
  const photo = await photoId(shop)
  const answer = await read(photo)
  expect([answer.status, answer.bytes.equals(jpegOf())]).toEqual([200, true])
  expect(answer.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'private, no-cache' })
  expect((await read(photo, shop.workspaceId, {})).status).toBe(401)
  const other = await openSocialShop(parley)
  const otherMember = await signIn(parley, other, 'viewer')
  expect((await read(photo, other.workspaceId, { cookie: otherMember.cookie })).status).toBe(404)
})

test("a published post shows Parley's copy under the network's id; another post, the network's picture", async () => {
  const post = { kind: 'image', media: [await photoId(shop)], action: 'publish' }
  const { id } = (await shop.post('/social/posts', post)).body.post
  const published: Body = await until(async () => {
    const { post } = (await shop.get(`/social/posts/${id}`)).body
    return post.status === 'published' && post
  }, 'the post is published')
  expect((await read(published.socialMediaId)).bytes.equals(jpegOf())).toBe(true)

  const photo = jpegOf({ width: 640, height: 640 })
  const foreign = await addForeignPost(files.serve(photo))
  const answer = await read(foreign)
  expect([answer.status, answer.bytes.equals(photo)]).toEqual([200, true])
  expect(answer.headers['cache-control']).toBe('private, max-age=3600')
})

test('each file of a carousel is shown by its place: a copy of Parley, or the file at the network', async () => {
  const [first, second] = [jpegOf({ width: 1080 }), jpegOf({ width: 1000 })]
  const ids: string[] = []
  for (const file of [first, second])
    ids.push(
      (await shop.post('/social/media/upload', { fileBase64: file.toString('base64') })).body.media.mediaId,
    )
  const { id } = (await shop.post('/social/posts', { kind: 'carousel', media: ids, action: 'publish' })).body
    .post
  const published: Body = await until(async () => {
    const { post } = (await shop.get(`/social/posts/${id}`)).body
    return post.status === 'published' && post
  }, 'the carousel is published')
  expect((await read(`${published.socialMediaId}.1`)).bytes.equals(first)).toBe(true)
  expect((await read(`${published.socialMediaId}.2`)).bytes.equals(second)).toBe(true)
  expect((await read(`${published.socialMediaId}.3`)).status).toBe(404)

  const children = [first, second].map((file) => ({ media_type: 'IMAGE', media_url: files.serve(file) }))
  const foreign = await addForeignPost(children[0]!.media_url, {
    media_type: 'CAROUSEL_ALBUM',
    children: { data: children },
  })
  expect((await read(`${foreign}.2`)).bytes.equals(second)).toBe(true)
  expect((await read(`${foreign}.3`)).status).toBe(404)
})

test("a video of the network has its still picture, and plays under '.video', also in parts", async () => {
  const [still, film] = [jpegOf({ width: 720 }), mp4Of({ filmBytes: 5_000 })]
  const url = files.serve((response, request) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return response.writeHead(200, { 'content-type': 'video/mp4' }).end(film)
    const end = to ? Number(to) : film.length - 1
    const headers = { 'content-type': 'video/mp4', 'content-range': `bytes ${from}-${end}/${film.length}` }
    return response.writeHead(206, headers).end(film.subarray(Number(from), end + 1))
  })
  const video = { media_type: 'VIDEO', media_url: url, thumbnail_url: files.serve(still) }
  const reel = await addForeignPost(url, video)
  expect((await read(reel)).bytes.equals(still)).toBe(true)
  const whole = await read(`${reel}.video`)
  expect([whole.status, whole.headers['content-type'], whole.bytes.equals(film)]).toEqual([
    200,
    'video/mp4',
    true,
  ])
  const part = await read(`${reel}.video`, shop.workspaceId, { cookie, range: 'bytes=100-199' })
  expect([part.status, part.headers['content-range'], part.bytes.equals(film.subarray(100, 200))]).toEqual([
    206,
    `bytes 100-199/${film.length}`,
    true,
  ])
  const album = await addForeignPost(url, {
    media_type: 'CAROUSEL_ALBUM',
    children: { data: [{ media_type: 'IMAGE', media_url: files.serve(still) }, video] },
  })
  expect((await read(`${album}.2.video`)).bytes.equals(film)).toBe(true)
  // A photo has no video.
  expect((await read(`${album}.1.video`)).status).toBe(404)
  expect((await read(`${reel}.video`, shop.workspaceId, {})).status).toBe(401)
})

test('a post without a picture, a private address, and an unknown post have no file', async () => {
  const page = files.serve((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
  for (const id of [
    await addForeignPost(page),
    await addForeignPost('https://10.0.0.1/1.jpg'),
    newNetworkId(),
    'no-id',
  ])
    expect((await read(id)).status, id).toBe(404)
})
