/** Who may do what over control. No agent credential is valid here. */

/** Roles, each with the rights of those before it. */
export const roles = ['viewer', 'approver', 'operator'] as const;
/** One role: viewers see, approvers also answer asks, operators do everything. */
export type Role = (typeof roles)[number];

/** Whether `role` has the rights of `needed`. */
export function mayAct(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
