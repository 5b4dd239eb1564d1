/** What `status` shows of a running daemon. */
import { type DeclaredState, layerOf, systemClock } from '@pawl/core';
import type { LiveStatus, ServerStatus } from '../control/index.js';
import type { Daemon } from './daemon.js';

const nothing = { up: 0, starting: 0, restarts: 0 };

/** Reads the daemon at each call; `url` is its HTTP endpoint once there is one. */
export function liveStatus(daemon: Daemon, url: () => string | undefined): () => LiveStatus {
  const started = systemClock.monotonic();
  return () => {
    const { policy, epochs } = daemon.snapshot;
    const http = url();
    const { lastRefusal } = daemon.reloading;
    return {
      posture: policy.settings.posture,
      generations: daemon.reloader.living(),
      executors: [...policy.executors.keys()].map((executor) => ({
        executor,
        epoch: epochs.get(executor) ?? 0,
      })),
      servers: daemon.servers.map((server) => serverStatus(daemon, server)),
      ...(policy.declared.length === 0 ? {} : { declared: policy.declared.map(declaredStatus) }),
      ...(daemon.waiting.length === 0
        ? {}
        : { waiting: daemon.waiting.map(({ server, tool }) => ({ server, tool })) }),
      ...skillsOf(daemon),
      frozen: daemon.freezes.list(),
      ...(lastRefusal === undefined ? {} : { refusedReload: lastRefusal }),
      asks: asksOf(daemon),
      ...sessionsOf(daemon),
      inFlight: daemon.gate.inFlight(),
      uptime: Math.round(systemClock.monotonic() - started),
      ...(http === undefined ? {} : { http }),
    };
  };
}

function sessionsOf({ sessions }: Daemon): Pick<LiveStatus, 'sessions' | 'childSessions'> {
  const open = sessions.all();
  const children = open.filter(({ child }) => child !== undefined).length;
  return { sessions: open.length, ...(children === 0 ? {} : { childSessions: children }) };
}

function skillsOf({ skills }: Daemon): Pick<LiveStatus, 'skills'> {
  const [loaded, missing] = [skills.shelf.list(), skills.notLoaded()];
  if (loaded.length + missing.length === 0) return {};
  return {
    skills: {
      loaded: loaded.length,
      unsigned: loaded.filter(({ verified }) => verified.by === undefined).length,
      masked: loaded.reduce((sum, { intersection }) => sum + intersection.masked.length, 0),
      notLoaded: missing.map(({ stored: { name, executor } }) => ({ name, executor })),
    },
  };
}

function asksOf({ approvals }: Daemon): LiveStatus['asks'] {
  const waiting = approvals.waiting();
  if (waiting.length === 0) return { waiting: 0 };
  return { waiting: waiting.length, oldest: Math.max(...waiting.map(({ age }) => age)) };
}

function declaredStatus({ entry, state }: DeclaredState): NonNullable<LiveStatus['declared']>[number] {
  return { of: entry.of, on: entry.on, layer: layerOf(entry), state };
}

function serverStatus(
  { registry }: Daemon,
  { name, probe, supervisor, confined }: Daemon['servers'][number],
): ServerStatus {
  const tools = [...registry.table().keys()].filter((tool) => tool.startsWith(`${name}/`)).length;
  const { up, starting, restarts } = supervisor?.processes() ?? nothing;
  const idle = up + starting === 0 && restarts === 0;
  const why = whyDown({ probe, supervisor });
  return {
    server: name,
    state: up > 0 || (idle && why === undefined) ? 'up' : starting > 0 ? 'starting' : 'down',
    tools,
    restarts,
    confinement: confined === undefined ? 'name' : 'object',
    ...(why === undefined ? {} : { why }),
  };
}

/** Why nobody is there, where nobody is. */
function whyDown({
  probe,
  supervisor,
}: Pick<Daemon['servers'][number], 'probe' | 'supervisor'>): string | undefined {
  if (supervisor !== undefined) return supervisor.trouble();
  return probe.ok ? undefined : probe.why;
}
