/* from sources 8ddf91a625afe9e9; LICENSES.txt */
function a(t,o){return r=>{let e=t.appendChild(document.createElement("i"));e.className="probe",e.style.colorScheme=o?"dark":"light",e.style.color=`var(${r})`;let n=getComputedStyle(e).color;return e.remove(),n}}export{a};
