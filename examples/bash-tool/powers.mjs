/** The powers of this program: plain objects. Whoever holds one can do what its methods do, and nothing else. */
import { CapError, denial } from '@pawl/core';

/** A refusal that a model may read. */
function refuse(code, constraint, message) {
  return new CapError(denial({ code, layer: 'ceiling', constraint, message }));
}

/** Files below one folder of a tree in memory. A real program takes descriptors here, and no paths. */
export function fsPower(root, files) {
  const inside = (path) => {
    if (path !== root && !path.startsWith(`${root}/`)) {
      throw refuse('out_of_scope', 'fs.root', `${path} is outside of ${root}. Stay inside.`);
    }
    return path;
  };
  return {
    list: (path) => {
      const below = `${inside(path)}/`;
      const names = [...files.keys()].filter((name) => name.startsWith(below));
      return [...new Set(names.map((name) => name.slice(below.length).split('/', 1)[0]))].sort((a, b) =>
        a.localeCompare(b),
      );
    },
    read: (path) => files.get(inside(path)) ?? `${path}: no such file`,
    remove: (path) => (files.delete(inside(path)) ? '' : `${path}: no such file`),
  };
}

/** The network, as far as a list of hosts goes. This one answers by itself. */
export function netPower(hosts) {
  return {
    get: async (url) => {
      const { hostname } = new URL(url);
      if (!hosts.includes(hostname))
        throw refuse('out_of_scope', 'net.hosts', `${hostname} is not on the list.`);
      return `200 from ${hostname}`;
    },
  };
}

/** A person who is asked. This one says yes to what the function says yes to. */
export function approvalPower(answer) {
  return {
    request: async (text) => {
      if (!answer(text))
        throw refuse('consent_refused', 'approval', `A person refused: ${text}. Do not try again.`);
    },
  };
}
