// Addresses that no request may reach (docs/reliability.md row 15).

/** Hosts, in any spelling, that lead or could lead to internal addresses. */
export const LITERALS = `
127.0.0.1 127.1 127.0.1 127.127.127.127 127.0.0.0 127.255.255.255 2130706433 0x7f000001 0X7F000001 017700000001
0x7f.0.0.1 0x7f.1 0177.0.0.1 0177.0.0.01 00000177.0.0.1 0x7f.0x0.0x0.0x1 127.0x0.0.1 127.0.0.1. 127.000.000.001
%31%32%37.0.0.1 127%2e0%2e0%2e1 １２７.0.0.1 127。0。0。1 127．0．0．1 ①②⑦.⓪.⓪.① 0 0.0.0.0 0.0 0x0 00 0.1.2.3 0.255.255.255
10.0.0.1 10.255.255.255 10.1 0x0a000001 167772161 012.0.0.1 172.16.0.1 172.31.255.255 172.16.1 0xac.0x10.0.1 2886729729
192.168.0.1 192.168.1 192.168.65535 3232235521 0xc0a80001 0300.0250.0.1 169.254.169.254 169.254.0.1 2852039166 0xa9fea9fe
0251.0376.0251.0376 169.254.43518 169.16689662 100.64.0.1 100.127.255.254 100.100.100.200 192.0.0.1 192.0.0.192 192.0.2.1
192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295
[::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0.0.0.1] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1]
[::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:192.168.1.1] [::ffff:169.254.169.254]
[::ffff:a9fe:a9fe] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1]
[64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [64:ff9b:1:7f00:1::] [2002:7f00:1::] [2002:7f00:0001::1] [2002:a00:1::] [2002:c0a8:101::1]
[2002:a9fe:a9fe::] [2001::1] [2001:0:7f00:1::] [2001:db8::1] [2001:10::1] [2001:20::1] [2001:2::1] [3fff::1] [fc00::1] [fd00::1]
[fd00:ec2::254] [fdff:ffff::1] [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [feff::1] [ff02::1] [ff0e::1] [100::1] [5f00::1]
[4000::1] [1::1] [fe80::1%25lo] [fe80::1%lo] [::1%25eth0] [::ffff:0.0.0.0] [::ffff:255.255.255.255]
`
  .trim()
  .split(/\s+/)

/** Names that are local by definition, and names that resolve to private addresses. */
export const NAMES = `
localhost LOCALHOST localhost. localhost.. LocalHost. foo.localhost a.b.localhost. ⓛocalhost localhost.localdomain ip6-localhost
ip6-loopback metadata metadata.google.internal METADATA.GOOGLE.INTERNAL. metadata.azure.internal instance-data
instance-data.ec2.internal vault.internal db.prod.internal 127.0.0.1.nip.test 7f000001.rbndr.test internal-looking.test
xn--local.test single-label hooks.test. 0x7f000001.test 1.0.0.127.in-addr.test
`
  .trim()
  .split(/\s+/)

/**
 * URLs that are invalid before the host is checked, or that hide one host inside another. PORT is the port of
 * a tripwire.
 */
export const WHOLE_URLS = `
http://example.test/ ftp://example.test/ file:///etc/passwd gopher://127.0.0.1/ dict://127.0.0.1/ data:text/plain,x javascript:1
//127.0.0.1:PORT/ https:127.0.0.1:PORT https:/127.0.0.1:PORT https:///127.0.0.1:PORT/ https:// https://:PORT/ https://?x
https://user@127.0.0.1:PORT/ https://user:pass@example.test/ https://example.test@127.0.0.1:PORT/ https://:@127.0.0.1:PORT/
https://127.0.0.1:PORT#@example.test/ https://127.0.0.1:PORT?@example.test/ https://127.0.0.1:PORT\\@example.test/
https://example.test\\@127.0.0.1:PORT/ https://[::1 https://[::1]x/ https://[127.0.0.1]/ https://256.256.256.256/ https://1.2.3.4.5/
https://127.0.0.1:99999/ https://127.0.0.1:-1/ https://exa%00mple.test/ https://example.test%2f@127.0.0.1/ HTTPS://127.0.0.1:PORT/
`
  .trim()
  .split(/\s+/)
/** Hosts that no name server can know, so no delivery can ever reach them. */
export const IMPOSSIBLE_HOSTS = [
  `${'a'.repeat(64)}.example.com`,
  `${'a'.repeat(255)}.com`,
  `${'a'.repeat(63)}.`.repeat(4).concat('com'),
  `${'é'.repeat(60)}.example.com`,
  'hooks..example.com',
  '.example.com',
  'example.com..',
  'hooks!.example.com',
  'a,b.example.com',
  'hooks~1.example.com',
  "o'hooks.example.com",
  '(hooks).example.com',
  'a*.example.com',
  '*.example.com',
  'hooks;.example.com',
  'a=b.example.com',
  'a&b.example.com',
  '$hooks.example.com',
  '+.example.com',
]

/** The same addresses with white space and control characters. */
export const WITH_SPACES = [
  'https://127.0.0.1 :PORT/',
  ' https://example.test/',
  'https://exam\tple.test/',
  'https://a.test/\n',
  'https://a\u0000.test/',
]
