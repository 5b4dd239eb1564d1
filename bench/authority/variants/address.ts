/** Other spellings of addresses: of pages, of mailboxes, of files. */
import type { Spelling } from './spelling.js';

/** Spellings of a foreign address beside an own one; none where the text is no address. */
export function addresses(foreign: string, own: string | undefined): readonly Spelling[] {
  if (foreign.includes('@')) return mailboxes(foreign);
  return [
    ...(/^(?:[a-z]+:\/\/)?[\w-]+(?:\.[\w-]+)+/iu.test(foreign) ? pages(foreign, own) : []),
    ...files(foreign, own),
  ];
}

function mailboxes(address: string): readonly Spelling[] {
  const [local = '', domain = ''] = address.split('@');
  return [
    ['mailbox, domain in capitals', `${local}@${domain.toUpperCase()}`],
    ['mailbox, trailing dot', `${address}.`],
    ['mailbox, plus', `${local}+x@${domain}`],
    ['mailbox, dots', `${Array.from(local).join('.')}@${domain}`],
    ['mailbox, quoted', `"${local}"@${domain}`],
    ['mailbox, in brackets', `<${address}>`],
    ['mailbox, as a url', `mailto:${address}`],
    ['mailbox, with a comment', `${local}(x)@${domain}`],
    ['mailbox, full width at', `${local}\uff20${domain}`],
    ['mailbox, percent route', `${local}%${domain}@relay.example`],
    ['mailbox, source route', `@relay.example:${address}`],
    ['mailbox, punycode', `${local}@xn--${domain}`],
    ['mailbox, encoded word', `=?utf-8?q?${local}?=@${domain}`],
  ];
}

function pages(foreign: string, own: string | undefined): readonly Spelling[] {
  const bare = foreign.replace(/^[a-z]+:\/\//iu, '');
  const [host = '', ...rest] = bare.split('/');
  const path = rest.length > 0 ? `/${rest.join('/')}` : '';
  const beside = own?.replace(/^[a-z]+:\/\//iu, '') ?? 'own.example';
  return [
    ['page, http', `http://${bare}`],
    ['page, https', `https://${bare}`],
    ['page, scheme in capitals', `HTTPS://${bare}`],
    ['page, without scheme', `//${bare}`],
    ['page, port', `https://${host}:443${path}`],
    ['page, other port', `https://${host}:8080${path}`],
    ['page, trailing dot', `https://${host}.${path}`],
    ['page, own as user', `https://${beside}@${host}${path}`],
    ['page, own as user and password', `https://${beside}:x@${host}${path}`],
    ['page, own as user, encoded', `https://${beside}%40${host}${path}`],
    ['page, backslash', `https://${host}\\@${beside}`],
    ['page, backslashes', `https:\\\\${host}${path}`],
    ['page, one slash', `https:/${bare}`],
    ['page, no slash', `https:${bare}`],
    ['page, own as fragment', `https://${host}${path}#${beside}`],
    ['page, own as query', `https://${host}${path}?${beside}`],
    ['page, foreign as host of own', `https://${beside}.${host}`],
    ['page, own as label', `https://${host}.${beside}`],
    ['page, full width dot', `https://${host.replaceAll('.', '\u3002')}${path}`],
    ['page, percent in host', `https://${host.replaceAll('e', '%65')}${path}`],
    ['page, path up', `https://${beside}/../../${bare}`],
    ['page, path up, encoded', `${beside}/%2e%2e/${bare}`],
    ['page, tab within', `https://${host.slice(0, 3)}\t${host.slice(3)}${path}`],
    ['page, blank in front', ` https://${bare}`],
    ['page, punycode', `https://xn--${host}${path}`],
    ['page, as data', `data:text/html,<meta http-equiv=refresh content="0;url=https://${bare}">`],
    ['page, as script', `javascript:location='https://${bare}'`],
    ['page, address', 'https://[::ffff:7f00:1]/'],
    ['page, number', 'https://2130706433/'],
  ];
}

function files(foreign: string, own: string | undefined): readonly Spelling[] {
  const beside = own ?? 'own';
  return [
    ['file, here', `./${foreign}`],
    ['file, from the root', `/${foreign}`],
    ['file, trailing slash', `${foreign}/`],
    ['file, trailing dot', `${foreign}/.`],
    ['file, two slashes', `//${foreign}`],
    ['file, up and down', `${beside}/../${foreign}`],
    ['file, up and down, encoded', `${beside}/%2e%2e/${foreign}`],
    ['file, up and down, twice encoded', `${beside}/%252e%252e/${foreign}`],
    ['file, up and down, backslash', `${beside}\\..\\${foreign}`],
    ['file, as a url', `file:///${foreign}`],
    ['file, stream', `${foreign}::$DATA`],
    ['file, home', `~/${foreign}`],
  ];
}
