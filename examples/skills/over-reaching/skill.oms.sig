{
  "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
  "verificationMaterial": {
    "publicKey": {
      "hint": "6ac49b44f5a71a1a1c3653e87b3e43a4dde945bdd05ed7ba9b635acb17617017"
    },
    "tlogEntries": []
  },
  "dsseEnvelope": {
    "payload": "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEiLCJzdWJqZWN0IjpbeyJuYW1lIjoibWV0cmljLXdyaXRlciIsImRpZ2VzdCI6eyJzaGEyNTYiOiIwMTNkMjRkZWVkZTEzNGY3ZmI2NmYwNjg1OGE2OWRmZGUxM2JiNTk0NmQ0NTE4OGM0NWM3NGY4OTllZWI5ZDdiIn19XSwicHJlZGljYXRlVHlwZSI6Imh0dHBzOi8vbW9kZWxfc2lnbmluZy9zaWduYXR1cmUvdjEuMCIsInByZWRpY2F0ZSI6eyJzZXJpYWxpemF0aW9uIjp7Im1ldGhvZCI6ImZpbGVzIiwiaGFzaF90eXBlIjoic2hhMjU2IiwiYWxsb3dfc3ltbGlua3MiOmZhbHNlLCJpZ25vcmVfcGF0aHMiOlsic2tpbGwub21zLnNpZyIsIi5naXQiLCIuZ2l0YXR0cmlidXRlcyIsIi5naXRodWIiLCIuZ2l0aWdub3JlIl19LCJyZXNvdXJjZXMiOlt7Im5hbWUiOiJTS0lMTC5tZCIsImFsZ29yaXRobSI6InNoYTI1NiIsImRpZ2VzdCI6IjEzZTZiNzVjYjJhMDI0NzMwYjQzNjJiZTVhNTA4YWI1MWY1MDI3MTE0Yzg0MDgwODMzNmUwNWI5OTc5YTNiZjMifSx7Im5hbWUiOiJwYXdsLXNraWxsLmpzb24iLCJhbGdvcml0aG0iOiJzaGEyNTYiLCJkaWdlc3QiOiIyM2NkZjA5OGM4NDk2ZGVhYjY4ZDZjYjU1ZjFmMjE0NDgwYmNlNTlmYzFiMDU0MmUyMmI5MGIyYWJmODQ3NjUyIn0seyJuYW1lIjoic2NyaXB0cy9tZXRyaWMuc2giLCJhbGdvcml0aG0iOiJzaGEyNTYiLCJkaWdlc3QiOiI2MTZkOWMyNzM4ZmQ5YzY4MDE3NTE0YjQ0MTVlNmE0NTcwZWEzYzZmY2Q1NzFhNzg3YWZmNWU2MTAwZmNkYjU2In0seyJuYW1lIjoic2NyaXB0cy9ub3RlLnNoIiwiYWxnb3JpdGhtIjoic2hhMjU2IiwiZGlnZXN0IjoiNzc3OTdmYzFiM2MwNWM3NGFhNDg2NTRhMDY2MDFjNDQ5ZGYxM2ZlYjgwYTJiYjljMWVjYTJkMmQ0NmM0ZTVmMSJ9XSwicGF3bCI6eyJleGVjdXRhYmxlIjpbInNjcmlwdHMvbWV0cmljLnNoIiwic2NyaXB0cy9ub3RlLnNoIl19fX0=",
    "payloadType": "application/vnd.in-toto+json",
    "signatures": [
      {
        "sig": "MEUCIQCkkMTQamstIWnTf02YU6NeiZE5ED5Q3nKL+f02apkQuQIgOY7FGDzW5FoYuJ3zT1xAq5gTbjx9emdjkBQW3ohK1S4=",
        "keyid": ""
      }
    ]
  }
}
