/** Reports about paths of win32. */
import { type FileTool, fileTools } from '../tools.js';
import { type Step, type Story, type Telling, deny, permit } from './story.js';

function drive(tools: readonly FileTool[], rules: string, steps: readonly Step[], keys = ''): Story {
  return {
    policy: `
pawl: 1
servers: { files: { connector: filesystem, platform: win32${keys} } }
agents:
  a:
${rules}
`,
    tools: { files: fileTools(...tools) },
    steps,
  };
}

const refused = 'malformed_arguments';
const list = (path: string, forwarded = path): Step =>
  permit('files/list_directory', { path }, { path: forwarded });
const read = (path: string, forwarded = path): Step =>
  permit('files/read_file', { path }, { path: forwarded });
const noList = (path: string, code: string): Step => deny('files/list_directory', { path }, code);
const noRead = (path: string, code: string): Step => deny('files/read_file', { path }, code);

/** Report to scenario. */
export const windowsReports: Readonly<Record<string, Telling>> = {
  R017: [
    drive(
      ['list_directory'],
      `    allow: [ { tools: [files/list_directory], where: { path: 'C:\\**' } } ]
    deny: [ { where: { path: 'C:\\Windows\\System32\\**' } } ]`,
      [
        noList('C:\\WINDOWS\\sYSTEM32', 'denied'),
        noList('c:/windows/system32/drivers', 'denied'),
        noList('C:\\Windows\\System\\..\\System32', 'denied'),
        list('C:\\Windows\\System'),
        list('C:\\Windows\\System32x'),
        noList('D:\\Windows', 'not_permitted'),
      ],
    ),
  ],
  R026: [
    drive(
      ['read_file'],
      "    allow: [ { tools: [files/read_file], where: { path: 'c:\\Users\\dev\\Documents\\**' } } ]",
      [
        read('C:\\Users\\dev\\Documents\\sub\\a.txt'),
        read('c:\\users\\DEV\\documents\\a.txt', 'C:\\users\\DEV\\documents\\a.txt'),
        read('C:/Users/dev/Documents/a.txt', 'C:\\Users\\dev\\Documents\\a.txt'),
        read('sub\\a.txt', 'C:\\Users\\dev\\Documents\\sub\\a.txt'),
        noRead('D:\\Users\\dev\\Documents\\a.txt', 'not_permitted'),
        noRead('C:\\Users\\dev\\DocumentsX\\a.txt', 'not_permitted'),
      ],
      ", root: 'c:\\Users\\dev\\Documents'",
    ),
    drive(
      ['read_file'],
      "    allow: [ { tools: [files/read_file], where: { path: 'c:\\Users\\dev\\**' } } ]",
      [read('C:\\Users\\dev\\a'), noRead('C:\\users\\dev\\a', 'not_permitted')],
      ', case: sensitive',
    ),
  ],
  R027: [
    drive(
      ['write_file'],
      "    allow: [ { tools: [files/write_file], where: { path: 'C:\\work\\**\\*.txt' } } ]",
      [
        deny('files/write_file', { path: 'C:\\work\\notes.txt:payload.exe', content: 'x' }, refused),
        deny('files/write_file', { path: 'C:\\work\\a.exe:b.txt', content: 'x' }, refused),
        deny('files/write_file', { path: 'C:\\work\\a.txt::$DATA', content: 'x' }, refused),
        permit('files/write_file', { path: 'C:\\work\\notes.txt', content: 'a:b' }),
        deny('files/write_file', { path: 'C:\\work\\notes.exe', content: 'x' }, 'not_permitted'),
      ],
    ),
  ],
  R028: [
    drive(
      ['read_file'],
      `    allow: [ { tools: [files/read_file], where: { path: 'C:\\site\\**' } } ]
    deny: [ { where: { path: 'C:\\site\\secret.txt' } } ]`,
      [
        noRead('C:\\site\\secret.txt. ', refused),
        noRead('C:\\site\\secret.txt.', refused),
        noRead('C:\\site\\SECRET~1.TXT', refused),
        noRead('C:\\site.\\secret.txt', refused),
        noRead('C:\\site\\Secret.TXT', 'denied'),
        read('C:\\site\\secret.txt.bak'),
        read('C:\\site\\public.txt'),
      ],
    ),
  ],
  R029: [
    drive(
      ['read_file'],
      "    allow: [ { tools: [files/read_file], where: { path: ['C:\\**', 'D:\\**'] } } ]",
      [
        noRead('\\\\?\\UNC\\fileserver\\e\\file.log', refused),
        noRead('\\\\fileserver\\e\\file.log', refused),
        noRead('//fileserver/e/file.log', refused),
        noRead('\\\\?\\C:\\a', refused),
        noRead('\\\\.\\PhysicalDrive0', refused),
        noRead('C:\\NUL', refused),
        read('C:\\logs\\UNC\\file.log'),
        read('D:\\file.log'),
      ],
    ),
    {
      ...drive(
        ['read_file'],
        "    allow: [ { tools: [files/read_file], where: { path: '\\\\fileserver\\e\\**' } } ]",
        [],
      ),
      names: ['\\\\fileserver'],
    },
  ],
  R025: [
    {
      ...drive(
        ['list_directory'],
        "    allow: [ { tools: [files/list_directory], where: { path: '\\\\nas01\\media\\**' } } ]",
        [],
      ),
      names: ['nas01'],
    },
  ],
};
