// Part of the bundle in place of the parts of undici that Parley never uses: fetch, web sockets, caches, and mocks. Loading them,
// with the parts of Node that they need, takes longer than a command. Its index creates one object of them.
module.exports = { CacheStorage: class {} }
